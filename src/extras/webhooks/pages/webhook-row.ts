import type { FastifyRequest } from 'fastify'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import type { WebhookFailure } from '../deliveries/webhook-delivery-store.ts'
import { hideCredentials } from '../hide-credentials.ts'
import type { Webhook } from '../webhook.ts'
import { stateBadge, stateNote } from './state.ts'
import { triggersOf } from './triggers.ts'

interface Row {
  webhook: Webhook
  failure: WebhookFailure | undefined
  now: Date
}

export function webhookRow(request: FastifyRequest, context: OwnerContext, { webhook, failure, now }: Row) {
  const { id, name, enableSslVerification: verifies } = webhook
  const { url } = hideCredentials(webhook.url)
  const path = `${context.url}/${id}`

  return html`
    <li data-row>
      <div>
        <p><a href="${path}"><strong>${name || url}</strong></a> ${stateBadge(webhook, now)}${!verifies && html` <span class="badge high">SSL not verified</span>`}</p>
        ${name && html`<p class="hint address">${url}</p>`}
        <p class="hint">${describeTriggers(webhook, context)}</p>
        ${stateNote(webhook, failure, now)}
        <div class="ways"><a href="${path}" aria-label="Edit ${name || url}">Edit</a> ${removal(request, path, name || url)}</div>
      </div>
    </li>`
}

function describeTriggers({ events }: Webhook, { owner: { kind } }: OwnerContext) {
  const chosen = triggersOf(kind).flatMap(({ flag, label }) => (events[flag] ? [label] : []))
  const labels = kind === 'system' ? ['Projects, groups, members, users and keys', ...chosen] : chosen

  return labels.length > 0 ? labels.join(' · ') : 'No triggers, so nothing is sent.'
}

function removal(request: FastifyRequest, path: string, name: string) {
  return html`
    <details class="manage">
      <summary>Delete…<span class="visually-hidden">: ${name}</span></summary>
      ${formOf(request, { action: `${path}/removal` }, html`<button class="plain">Delete the webhook and its deliveries</button>`)}
    </details>`
}
