import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import type { ClientKey } from './client-key.ts'
import type { ErrorSetting } from './error-setting.ts'
import { maxPatternLength } from './source-pattern.ts'

/** At least one letter or digit: other characters are ignored. */
const Key = Type.String({ maxLength: 100, pattern: '[\\p{L}\\p{N}]' })
const Keys = (description: string) => Type.Optional(Type.Array(Key, { maxItems: 100, description }))

const EventsPerMinute = (sender: string) =>
  Type.Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 100_000_000, description: `Events that ${sender} may send per minute; null for no limit.` })
    )
  )

const Filter = (description: string) => Type.Optional(Type.Boolean({ description }))
const Globs = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 250 }), { maxItems: 100, description: `${description} Case-insensitive.` })
  )

const Address = Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^https?://' }))

const tracker = {
  api_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'API URL of the project at a tracker with Sentry’s API, such as `https://sentry.example.com/api/0/projects/shop/web/`. The tracker must be reachable.'
    })
  ),
  token: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'Token for `api_url`; never returned.' })),
  project_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Defaults to the name in the tracker.' })),
  tracker_external_url: Address,
  sentry_external_url: Address
}

const changes = {
  ...tracker,
  events_per_minute: EventsPerMinute('the project'),
  spike_protection: Type.Optional(
    Type.Boolean({ description: 'During a spike, store the first events of each minute and count the others.' })
  ),
  scrubbing: Type.Optional(Type.Boolean({ description: 'Remove secrets from events before they are stored.' })),
  scrubbed_keys: Keys('Additional keys whose values are removed; they also match as words in longer keys.'),
  safe_keys: Keys('Keys whose values are never removed.'),
  keep_ip_addresses: Type.Optional(Type.Boolean()),
  filter_browser_extensions: Filter('Drop errors from browser extensions and the scripts they inject.'),
  filter_web_crawlers: Filter('Drop events from web crawlers, recognized by User-Agent.'),
  filter_localhost: Filter('Drop events from pages and users on localhost.'),
  filtered_releases: Globs('Drop events of these releases; `*` matches any text.'),
  filtered_messages: Globs('Drop events with these messages, or with exceptions whose `Type: value` matches; `*` matches any text.'),
  retention_days: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Days until events are deleted; null for the installation’s retention.' })
    )
  ),
  source_link: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: maxPatternLength,
        description:
          'Address of a file, for frames of stack traces, with `{path}` and optionally `{commit}`, `{ref}`, `{release}` and `{line}`: `https://github.com/acme/shop/blob/{commit}/{path}#L{line}`. Null for the code of the project.'
      })
    )
  )
}

/** `*`, or a host with an optional scheme and port. */
const originPattern = '^(?:\\*|(?:https?://)?(?:\\*\\.)?[A-Za-z0-9][A-Za-z0-9.-]*(?::\\d{1,5})?)$'

const Integrated = Type.Boolean({ description: 'False for an external tracker.' })

export const NewSetting = Type.Object({ active: Type.Boolean(), integrated: Integrated, ...changes })
export const SettingChanges = Type.Object({ active: Type.Boolean(), integrated: Type.Optional(Integrated), ...changes })

export const NewClientKey = Type.Object({
  name: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100 }))),
  events_per_minute: EventsPerMinute('clients with the key'),
  allowed_origins: Type.Optional(
    Type.Array(Type.String({ maxLength: 255, pattern: originPattern }), {
      maxItems: 100,
      description:
        'Origins of pages that may send: `https://shop.example.com`, `shop.example.com`, or `*.example.com` for a domain and its subdomains; any when empty. Requests without Origin and Referer pass.'
    })
  )
})

export const ClientKeyChanges = Type.Object({ ...NewClientKey.properties, active: Type.Optional(Type.Boolean()) })

export const SettingShape = Type.Object({
  active: Type.Boolean(),
  project_name: Nullable(Type.String()),
  tracker_external_url: Nullable(Type.String()),
  sentry_external_url: Nullable(Type.String()),
  api_url: Nullable(Type.String()),
  integrated: Type.Boolean(),
  events_per_minute: Nullable(Type.Integer()),
  spike_protection: Type.Boolean(),
  scrubbing: Type.Boolean(),
  scrubbed_keys: Type.Array(Type.String()),
  safe_keys: Type.Array(Type.String()),
  keep_ip_addresses: Type.Boolean(),
  filter_browser_extensions: Type.Boolean(),
  filter_web_crawlers: Type.Boolean(),
  filter_localhost: Type.Boolean(),
  filtered_releases: Type.Array(Type.String()),
  filtered_messages: Type.Array(Type.String()),
  retention_days: Nullable(Type.Integer()),
  source_link: Nullable(Type.String())
})

export const ClientKeyShape = Type.Object({
  id: Type.Integer(),
  active: Type.Boolean(),
  name: Nullable(Type.String()),
  events_per_minute: Nullable(Type.Integer()),
  allowed_origins: Type.Array(Type.String()),
  public_key: Type.String(),
  tracker_dsn: Type.String(),
  sentry_dsn: Type.String()
})

export function presentSetting(setting: ErrorSetting) {
  return {
    active: setting.active,
    project_name: setting.projectName ?? null,
    tracker_external_url: setting.trackerExternalUrl ?? null,
    sentry_external_url: setting.trackerExternalUrl ?? null,
    api_url: setting.apiUrl ?? null,
    integrated: setting.integrated,
    events_per_minute: setting.eventsPerMinute ?? null,
    spike_protection: setting.hasSpikeProtection,
    scrubbing: setting.isScrubbing,
    scrubbed_keys: setting.scrubbedKeys,
    safe_keys: setting.safeKeys,
    keep_ip_addresses: setting.keepsIpAddresses,
    filter_browser_extensions: setting.filtersBrowserExtensions,
    filter_web_crawlers: setting.filtersWebCrawlers,
    filter_localhost: setting.filtersLocalhost,
    filtered_releases: setting.filteredReleases,
    filtered_messages: setting.filteredMessages,
    retention_days: setting.retentionDays ?? null,
    source_link: setting.sourceLink ?? null
  }
}

export function presentKey(key: ClientKey, baseUrl: string) {
  const dsn = key.dsn(baseUrl)

  return {
    id: key.id,
    active: key.active,
    name: key.name ?? null,
    events_per_minute: key.eventsPerMinute ?? null,
    allowed_origins: key.allowedOrigins,
    public_key: key.publicKey,
    tracker_dsn: dsn,
    sentry_dsn: dsn
  }
}
