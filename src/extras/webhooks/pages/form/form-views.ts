import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLastFailures } from '#extras/webhooks/deliveries/webhook-delivery-store.ts'
import { hideCredentials } from '#extras/webhooks/hide-credentials.ts'
import { openSecrets, type Webhook } from '#extras/webhooks/webhook.ts'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import { nounsOf } from '../find-webhook.ts'
import { stateBadge, stateNote } from '../state.ts'
import { webhookFields } from './webhook-fields.ts'
import type { WebhookForm } from './webhook-form.ts'

export function showNewWebhook(reply: FastifyReply, context: OwnerContext, form: WebhookForm) {
  const { url, owner } = context
  const nouns = nounsOf(owner.kind)
  const title = `New ${nouns.one.toLowerCase()}`

  return context.show(
    reply,
    title,
    html`
    ${trail(context)}
    <h1>${title}</h1>
    <div class="column">
      ${form.fields.render(
        reply.request,
        { action: url },
        html`${lostSecrets(form)}${webhookFields(form, { ownerKind: owner.kind })}<p class="actions"><button>Create ${nouns.one.toLowerCase()}</button> <a class="button plain" href="${url}">Cancel</a></p>`
      )}
    </div>`
  )
}

export async function showWebhook(reply: FastifyReply, context: OwnerContext, webhook: Webhook, form: WebhookForm) {
  const { em, url, owner } = context
  const nouns = nounsOf(owner.kind)
  const { request, server } = reply
  const { name, id } = webhook
  const secrets = await openSecrets(server.platform.config, webhook)
  const stored = { hasToken: Boolean(secrets?.token), signs: Boolean(secrets?.signingToken) }
  const failure = (await findLastFailures(em, [id])).get(id)
  const now = new Date()

  return context.show(
    reply,
    name || nouns.one,
    html`
    ${trail(context)}
    <div class="heading"><h1>${name || hideCredentials(webhook.url).url} ${stateBadge(webhook, now)}</h1></div>
    ${stateNote(webhook, failure, now)}
    ${!secrets && html`<p class="problem">Its secrets cannot be decrypted, because SECRET_KEY has changed. Enter them again.</p>`}
    <div class="column">
      ${form.fields.render(
        request,
        { action: `${url}/${id}` },
        html`${lostSecrets(form)}${webhookFields(form, { ownerKind: owner.kind, stored })}<button>Save ${nouns.one.toLowerCase()}</button>`
      )}
      ${removal(request, context, webhook)}
    </div>`
  )
}

function trail({ owner, url }: OwnerContext) {
  return html`<p class="back"><a href="${url}">${nounsOf(owner.kind).many}</a></p>`
}

function lostSecrets({ fields }: WebhookForm) {
  return fields.hasProblems && html`<p class="problem" role="alert">Nothing is saved yet. Secrets are never shown, so enter them again.</p>`
}

function removal(request: FastifyRequest, { owner, url }: OwnerContext, { id }: Webhook) {
  const noun = nounsOf(owner.kind).one.toLowerCase()

  return html`
    <section class="danger">
      <h2>Delete the ${noun}</h2>
      <p>Its deliveries are deleted with it.</p>
      <details>
        <summary>Delete…</summary>
        ${formOf(request, { action: `${url}/${id}/removal` }, html`<button>Delete the ${noun}</button>`)}
      </details>
    </section>`
}
