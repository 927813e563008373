import { type Json, objectOrEmpty, objectOrUndefined } from '#lib/json.ts'
import { memoize } from '#lib/memoize.ts'
import { parseUserAgent, type UserAgent } from '#lib/user-agent.ts'
import { joinValues, readPairs } from './pairs.ts'
import { headerOf } from './request.ts'
import { singleLine } from './truncate.ts'

const maxTags = 50
const parseCachedUserAgent = memoize(parseUserAgent, { max: 2000, maxLength: 512 })

/** Tags as a map; names and values are single lines of at most 200 characters. */
export function normaliseTags(value: unknown): Record<string, string> | undefined {
  const tags: Record<string, string> = {}
  let count = 0

  for (const [name, tagValue] of readPairs(value, ',')) {
    const key = singleLine(name)
    const text = singleLine(joinValues(tagValue))

    if (!key || !text || key === '__proto__') continue
    if (!Object.hasOwn(tags, key) && ++count > maxTags) break
    tags[key] = text
  }

  return count > 0 ? tags : undefined
}

/** The tags of a normalised event, with those derived from its other attributes, to filter and to count by. */
export function allTags(event: Json) {
  const tags: Record<string, string> = {}
  const sent = event.tags as Record<string, string> | undefined

  // Attributes take precedence over tags of the same name.
  addTag(tags, 'level', event.level ?? 'error')
  for (const name of ['environment', 'release', 'transaction', 'server_name', 'dist', 'logger']) addTag(tags, name, event[name])
  for (const name in sent) addTag(tags, name, sent[name])
  addDerivedTags(tags, event)

  return tags
}

function addDerivedTags(tags: Record<string, string>, event: Json) {
  const request = objectOrUndefined(event.request)
  const contexts = objectOrEmpty(event.contexts)
  const header = contexts.browser ? undefined : headerOf(request, 'user-agent')
  const agent: UserAgent = header ? parseCachedUserAgent(header) : {}

  addVersionedTag(tags, 'browser', contexts.browser ?? agent.browser)
  addVersionedTag(tags, 'os', contexts.client_os ?? agent.os ?? contexts.os)
  addVersionedTag(tags, 'runtime', contexts.runtime)
  addDeviceTags(tags, objectOrEmpty(contexts.device), agent.device)
  if (typeof request?.url === 'string') addTag(tags, 'url', request.url.split(/[?#]/, 1)[0])
}

/** `browser: Firefox 141.0` and `browser.name: Firefox`. */
function addVersionedTag(tags: Record<string, string>, tag: string, context: unknown) {
  const { name, version } = objectOrEmpty(context)
  const line = singleLine(name)

  addTag(tags, tag, line && [line, singleLine(version)].filter(Boolean).join(' '))
  addTag(tags, `${tag}.name`, line)
}

function addDeviceTags(tags: Record<string, string>, { model, name, family }: Json, userAgentDevice: string | undefined) {
  addTag(tags, 'device', singleLine(model) ?? singleLine(name) ?? userAgentDevice)
  addTag(tags, 'device.family', family)
}

function addTag(tags: Record<string, string>, tag: string, value: unknown) {
  const line = singleLine(value)

  if (line && !Object.hasOwn(tags, tag) && Object.keys(tags).length < maxTags) tags[tag] = line
}
