import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { WebhookFlag } from '#extras/webhooks/events.ts'
import { hideCredentials } from '#extras/webhooks/hide-credentials.ts'
import type { Webhook } from '#extras/webhooks/webhook.ts'
import { flagsOf, newBodyOf, type WebhookBody } from '#extras/webhooks/webhook-schemas.ts'
import { Form, readForm, type SentForm } from '#pages/layout/form.ts'
import type { OwnerKind } from '#projects/owner.ts'
import { type Pairs, readPairs, storedPairs, toPairs } from './pairs.ts'

/** Secrets are read, and never shown. `events` are the flags of triggers that are set, `removed` the stored tokens to delete. */
export const WebhookFields = Type.Object({
  ...Type.Required(Type.Omit(newBodyOf('project'), ['custom_headers', 'url_variables', ...flagsOf.project])).properties,
  events: Type.Array(Type.String()),
  removed: Type.Array(Type.String())
})

/** With what the schema does not know: pairs without a value keep the stored one. */
export interface WebhookForm {
  fields: Form<typeof WebhookFields>
  variables: Pairs
  headers: Pairs
}

export function blankForm(ownerKind: OwnerKind): WebhookForm {
  const events = ownerKind === 'system' ? ['repository_update_events'] : ['push_events']
  const fields = new Form(WebhookFields, { events, branch_filter_strategy: 'all_branches', enable_ssl_verification: true })

  return { fields, variables: storedPairs([]), headers: storedPairs([]) }
}

/** An empty filter matches all branches, whatever its strategy. */
export function formOfWebhook(webhook: Webhook, ownerKind: OwnerKind): WebhookForm {
  const { name, description, pushEventsBranchFilter: filter } = webhook
  const fields = new Form(WebhookFields, {
    ...{ name, description, url: hideCredentials(webhook.url).url },
    events: flagsOf[ownerKind].filter(flag => webhook.events[flag]),
    branch_filter_strategy: filter ? webhook.branchFilterStrategy : 'all_branches',
    push_events_branch_filter: filter,
    enable_ssl_verification: webhook.enableSslVerification,
    custom_webhook_template: webhook.customWebhookTemplate
  })

  return { fields, variables: storedPairs(webhook.urlVariableKeys), headers: storedPairs(webhook.customHeaderKeys) }
}

export function readWebhookForm(request: FastifyRequest, webhook?: Webhook) {
  return {
    fields: readForm(request, WebhookFields, ['token']),
    variables: readPairs(request, 'variable', webhook?.urlVariableKeys ?? []),
    headers: readPairs(request, 'header', webhook?.customHeaderKeys ?? [])
  }
}

export type SentWebhook = WebhookForm & { fields: SentForm<typeof WebhookFields> }

/** The body of the REST API; pairs and tokens without a value keep the stored one. */
export function toBody({ fields: { body }, variables, headers }: SentWebhook, ownerKind: OwnerKind): WebhookBody & { url: string } {
  const { events, removed, token, signing_token, push_events_branch_filter: filter, ...rest } = body
  const kept = (name: string) => (removed.includes(name) ? null : undefined)
  const flags = flagsOf[ownerKind].map((flag): [WebhookFlag, boolean] => [flag, events.includes(flag)])

  return {
    ...rest,
    ...Object.fromEntries(flags),
    push_events_branch_filter: filter ?? '',
    token: token ?? kept('token'),
    signing_token: signing_token ?? kept('signing_token'),
    url_variables: toPairs(variables),
    custom_headers: toPairs(headers)
  }
}
