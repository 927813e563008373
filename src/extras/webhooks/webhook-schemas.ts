import Type, { type Static } from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { Nullable } from '#lib/nullable.ts'
import type { OwnerKind } from '#projects/owner.ts'
import { groupFlags, projectFlags, systemFlags, type WebhookFlag } from './events.ts'
import { hideCredentials } from './hide-credentials.ts'
import type { Webhook } from './webhook.ts'

const KeyAndValue = Type.Object({ key: Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }), value: Type.String({ maxLength: 2048 }) })
const Strategy = Type.Enum(['wildcard', 'regex', 'all_branches'])

const settings = {
  name: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  description: Type.Optional(Nullable(Type.String({ maxLength: 2048 }))),
  token: Type.Optional(Nullable(Type.String({ maxLength: 2048, description: 'Sent as `X-Gitlab-Token`; never shown.' }))),
  signing_token: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]{32,100}={0,2}$',
        description: 'Signs requests according to Standard Webhooks; never shown.'
      })
    )
  ),
  enable_ssl_verification: Type.Optional(Type.Boolean()),
  push_events_branch_filter: Type.Optional(Nullable(Type.String({ maxLength: 5000 }))),
  branch_filter_strategy: Type.Optional(Strategy),
  custom_webhook_template: Type.Optional(
    Nullable(Type.String({ maxLength: 4096, description: 'JSON with fields such as `{{object_kind}}`.' }))
  ),
  custom_headers: Type.Optional(Type.Array(KeyAndValue, { maxItems: 20 })),
  url_variables: Type.Optional(Type.Array(KeyAndValue, { maxItems: 20, description: 'Values for `{key}` in the URL; never shown.' }))
}

export const flagsOf = { project: projectFlags, group: groupFlags, system: systemFlags } as const

function optionalFlags(ownerKind: OwnerKind) {
  return Object.fromEntries(flagsOf[ownerKind].map(flag => [flag, Type.Optional(Type.Boolean())]))
}

const Url = Type.String({ minLength: 1, maxLength: 2000 })

export function newBodyOf(ownerKind: OwnerKind) {
  return Type.Object({ url: Url, ...settings, ...optionalFlags(ownerKind) })
}

export function bodyOf(ownerKind: OwnerKind) {
  return Type.Object({ url: Type.Optional(Url), ...settings, ...optionalFlags(ownerKind) })
}

export interface Pair {
  key: string
  /** Always given in requests of the REST API. */
  value?: string | undefined
}

export type WebhookBody = Omit<Static<Type.TObject<typeof settings>>, 'custom_headers' | 'url_variables'> & {
  url?: string
  custom_headers?: Pair[]
  url_variables?: Pair[]
} & Partial<Record<WebhookFlag, boolean>>

const Key = Type.Object({ key: Type.String() })

export function shapeOf(ownerKind: OwnerKind) {
  return Type.Object({
    id: Type.Integer(),
    url: Type.String(),
    name: Nullable(Type.String()),
    description: Nullable(Type.String()),
    created_at: Type.String(),
    ...(ownerKind === 'project' && { project_id: Type.Integer() }),
    ...(ownerKind === 'group' && { group_id: Type.Integer() }),
    ...Object.fromEntries(flagsOf[ownerKind].map(flag => [flag, Type.Boolean()])),
    push_events_branch_filter: Nullable(Type.String()),
    branch_filter_strategy: Strategy,
    enable_ssl_verification: Type.Boolean(),
    alert_status: Type.Enum(['executable', 'temporarily_disabled', 'disabled']),
    disabled_until: Nullable(Type.String()),
    custom_webhook_template: Nullable(Type.String()),
    url_variables: Type.Array(Key),
    custom_headers: Type.Array(Key),
    token_present: Type.Boolean(),
    signing_token_present: Type.Boolean()
  })
}

export const WebhookEventsQuery = Type.Object({
  ...paging,
  status: Type.Optional(
    Type.String({ description: 'A status code, or `successful`, `client_failure`, `server_failure` or `internal_error`.' })
  )
})

export const DeliveryShape = Type.Object({
  id: Type.Integer(),
  url: Type.String(),
  trigger: Type.String(),
  request_headers: Type.Record(Type.String(), Type.String()),
  request_data: Type.Record(Type.String(), Type.Unknown()),
  response_headers: Type.Record(Type.String(), Type.String()),
  response_body: Type.String(),
  execution_duration: Type.Number(),
  response_status: Type.String({ description: '`internal error` when the receiver did not answer; `pending` before the first attempt.' })
})

export function presentWebhook(
  webhook: Webhook,
  ownerKind: OwnerKind,
  at: Date,
  { hasToken, signs }: { hasToken: boolean; signs: boolean }
) {
  const { id, projectId, groupId, name, url, events, disabledUntil } = webhook

  return {
    id,
    url: hideCredentials(url).url,
    name: name ?? null,
    description: webhook.description ?? null,
    created_at: webhook.createdAt.toISOString(),
    ...(ownerKind === 'project' && { project_id: projectId! }),
    ...(ownerKind === 'group' && { group_id: groupId! }),
    ...Object.fromEntries(flagsOf[ownerKind].map(flag => [flag, events[flag] ?? false])),
    push_events_branch_filter: webhook.pushEventsBranchFilter,
    branch_filter_strategy: webhook.branchFilterStrategy,
    enable_ssl_verification: webhook.enableSslVerification,
    alert_status: webhook.alertStatus(at),
    disabled_until: disabledUntil ? disabledUntil.toISOString() : null,
    custom_webhook_template: webhook.customWebhookTemplate ?? null,
    url_variables: webhook.urlVariableKeys.map(key => ({ key })),
    custom_headers: webhook.customHeaderKeys.map(key => ({ key })),
    token_present: hasToken,
    signing_token_present: signs
  }
}
