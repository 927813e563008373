import type { FastifyReply, FastifyRequest } from 'fastify'
import { findFailingChannels } from '#notifications/channels/channel-store.ts'
import { listDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { NotificationRule } from '#notifications/rules/notification-rule.ts'
import { formOf, secretField } from '#pages/layout/field.ts'
import type { Form } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import { deliveryRows } from '../deliveries/delivery-rows.ts'
import { notificationPage, notificationsUrl } from '../frame.ts'
import type { ChannelContext } from './channel-context.ts'
import { channelFields } from './channel-form.ts'
import { failureNote } from './channel-list.ts'
import { kindTexts } from './kind-texts.ts'
import type { OneTimeNotice } from './one-time-notice.ts'

const maxDeliveries = 5

export async function showChannel(reply: FastifyReply, context: ChannelContext, form: Form, shown: Partial<OneTimeNotice> = {}) {
  const { channel, channelUrl, em, project, admin } = context
  const { request } = reply
  const rules = (await em.find(NotificationRule, { projectId: project.id })).filter(({ channelIds }) => channelIds.includes(channel.id))
  const deliveries = await listDeliveries(em, { projectId: project.id, channelId: channel.id }, admin.config.baseUrl).list(maxDeliveries)
  const failure = (await findFailingChannels(em, [project.id])).get(channel.id)
  const url = notificationsUrl(context)

  return notificationPage(
    reply,
    context,
    channel.name,
    html`
    <div class="heading">
      <h1>${channel.name} <span class="badge">${kindTexts[channel.kind].name}</span>${!channel.isActive && html` <span class="badge">off</span>`}</h1>
      ${formOf(request, { action: `${channelUrl}/test` }, html`<button class="plain">Send a test</button>`)}
    </div>
    ${failure && failureNote(context, failure)}
    ${shown.test && testAnswer(shown.test)}
    ${shown.secret && newSecret(shown.secret)}
    <p class="lead">
      ${channel.kind !== 'email' && html`Sends to <code>${(channel.settings as { host?: string }).host}</code>. `}${rules.length > 0 ? html`Used by ${rules.map(({ id, name }, n) => html`${n > 0 && ', '}<a href="${url}/rules/${id}">${name}</a>`)}.` : html`No rule uses this channel yet, so it receives nothing. <a href="${url}/rules/new?channel=${channel.id}">Add a rule</a>`}
    </p>
    <div class="split">
      <div>${form.render(request, { action: channelUrl }, html`${channelFields(channel.kind, form, { isStored: true })}<button>Save channel</button>`)}</div>
      <div>
        <h2>Last deliveries</h2>
        ${
          deliveries.length > 0
            ? html`${deliveryRows(url, deliveries, new Date())}<p><a href="${url}/deliveries?channel=${channel.id}">All deliveries of this channel</a></p>`
            : html`<p class="hint">No notifications were sent to this channel in the last 30 days. Tests are not listed.</p>`
        }
        ${channel.kind === 'webhook' && signingSecret(request, channelUrl)}
      </div>
    </div>
    ${removal(request, context)}`
  )
}

function testAnswer({ status, answer, ms }: NonNullable<OneTimeNotice['test']>) {
  const isSuccess = status === 'sent'

  return html`
    <section class="${isSuccess ? 'made' : 'problem'}" role="status">
      <p><strong>${isSuccess ? 'The test was accepted' : 'The test was not accepted'}</strong> after ${ms} ms.${status === 'retry' && ' A real message would be retried.'}</p>
      <pre tabindex="0" aria-label="Answer">${answer}</pre>
    </section>`
}

function newSecret(secret: string) {
  return html`
    <section class="made" role="status">
      ${secretField({ name: 'signing_secret', label: 'Signing secret', value: secret, hint: 'Copy it now; it will not be shown again. The receiver verifies requests with it.', isFocused: true })}
    </section>`
}

function signingSecret(request: FastifyRequest, channelUrl: string) {
  return html`
    <h2>Signing secret</h2>
    <p class="hint">Each request has the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>. The Standard Webhooks libraries verify them with the secret.</p>
    <details class="confirm">
      <summary>Replace the secret…</summary>
      <p>Requests will be signed only with the new secret. The receiver will reject them until you update the secret there.</p>
      ${formOf(request, { action: `${channelUrl}/signing_secret` }, html`<button class="plain">Replace the secret</button>`)}
    </details>`
}

function removal(request: FastifyRequest, { channel, channelUrl }: ChannelContext) {
  return html`
    <section class="danger">
      <h2>Delete the channel</h2>
      <p>Rules will stop sending to it. Its deliveries remain listed.</p>
      <details>
        <summary>Delete…</summary>
        ${formOf(request, { action: `${channelUrl}/removal` }, html`<button>Delete ${channel.name}</button>`)}
      </details>
    </section>`
}
