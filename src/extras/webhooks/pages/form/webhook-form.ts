import type { FastifyRequest } from 'fastify'
import type { WebhookFlag } from '#extras/webhooks/events.ts'
import { hideCredentials } from '#extras/webhooks/hide-credentials.ts'
import type { BranchFilterStrategy, Webhook } from '#extras/webhooks/webhook.ts'
import { flagsOf, type WebhookBody } from '#extras/webhooks/webhook-schemas.ts'
import { chosenOf, textOf } from '#pages/layout/forms.ts'
import type { Place } from '#projects/place.ts'
import { type Pairs, readPairs, storedPairs, toPairs } from './pairs.ts'

/** A webhook as it is typed. Secrets are read, and never shown. */
export interface WebhookForm {
  url: string
  name: string
  description: string
  events: string[]
  strategy: string
  filter: string
  verifiesTls: boolean
  template: string
  token: string
  signingToken: string
  /** Stored tokens to delete. */
  removed: string[]
  variables: Pairs
  headers: Pairs
}

export function blankForm(place: Place): WebhookForm {
  return {
    url: '',
    name: '',
    description: '',
    events: place === 'system' ? ['repository_update_events'] : ['push_events'],
    strategy: 'all_branches',
    filter: '',
    verifiesTls: true,
    template: '',
    token: '',
    signingToken: '',
    removed: [],
    variables: storedPairs([]),
    headers: storedPairs([])
  }
}

/** An empty filter matches all branches, whatever its strategy. */
export function formOfWebhook(webhook: Webhook, place: Place): WebhookForm {
  return {
    ...blankForm(place),
    url: hideCredentials(webhook.url).url,
    name: webhook.name ?? '',
    description: webhook.description ?? '',
    events: flagsOf[place].filter(flag => webhook.events[flag]),
    strategy: webhook.pushEventsBranchFilter ? webhook.branchFilterStrategy : 'all_branches',
    filter: webhook.pushEventsBranchFilter,
    verifiesTls: webhook.enableSslVerification,
    template: webhook.customWebhookTemplate ?? '',
    variables: storedPairs(webhook.urlVariableKeys),
    headers: storedPairs(webhook.customHeaderKeys)
  }
}

export function readWebhookForm(request: FastifyRequest, webhook?: Webhook): WebhookForm {
  const text = (name: string) => textOf(request, name).trim()

  return {
    url: text('url'),
    name: text('name'),
    description: text('description'),
    events: chosenOf(request, 'events'),
    strategy: text('branch_filter_strategy'),
    filter: text('push_events_branch_filter'),
    verifiesTls: text('enable_ssl_verification') !== '',
    template: text('custom_webhook_template'),
    token: textOf(request, 'token'),
    signingToken: text('signing_token'),
    removed: chosenOf(request, 'removed'),
    variables: readPairs(request, 'variable', webhook?.urlVariableKeys ?? []),
    headers: readPairs(request, 'header', webhook?.customHeaderKeys ?? [])
  }
}

/** The body of the REST API; pairs without a value keep the stored one. */
export function toBody(form: WebhookForm, place: Place): WebhookBody & { url: string } {
  const changed = (name: string, value: string) => value || (form.removed.includes(name) ? null : undefined)
  const flags = flagsOf[place].map((flag): [WebhookFlag, boolean] => [flag, form.events.includes(flag)])

  return {
    url: form.url,
    name: form.name || null,
    description: form.description || null,
    ...Object.fromEntries(flags),
    branch_filter_strategy: form.strategy as BranchFilterStrategy,
    push_events_branch_filter: form.filter,
    enable_ssl_verification: form.verifiesTls,
    custom_webhook_template: form.template || null,
    token: changed('token', form.token),
    signing_token: changed('signing_token', form.signingToken),
    url_variables: toPairs(form.variables),
    custom_headers: toPairs(form.headers)
  }
}
