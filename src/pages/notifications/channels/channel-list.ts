import { type Failure, findFailingChannels } from '#notifications/channels/channel-store.ts'
import type { EmailSettings } from '#notifications/channels/email-channel.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { describeRecipients, usernamesOf } from '../email-form.ts'
import { notificationsUrl } from '../frame.ts'
import { kindTexts } from './kind-texts.ts'

/** The connected channels, and where each of them leads. */
export async function channelsSection(context: PageContext, channels: NotificationChannel[]) {
  const ids = channels.flatMap(({ kind, settings }) => (kind === 'email' ? (settings as unknown as EmailSettings).user_ids : []))
  const usernames = await usernamesOf(context, ids)
  const failing = await findFailingChannels(context.em, [context.project.id])

  if (channels.length === 0) return undefined

  return html`
    <div class="heading"><h2>Channels</h2>${context.isMaintainer && html`<a class="button plain small" href="${notificationsUrl(context)}/channels/new">Connect a channel</a>`}</div>
    <ul class="rows">${channels.map(channel => row(context, channel, usernames, failing.get(channel.id)))}</ul>`
}

function row(context: PageContext, channel: NotificationChannel, usernames: Map<number, string>, failure: Failure | undefined) {
  const { id, name, kind, isActive } = channel
  const url = `${notificationsUrl(context)}/channels/${id}`
  const place = whereTo(channel, usernames)

  return html`
    <li>
      <div>
        <p><strong>${name}</strong> <span class="badge">${kindTexts[kind].name}</span>${!isActive && html` <span class="badge">off</span>`}</p>
        ${place?.toLowerCase() !== name.toLowerCase() && html`<p class="hint address">${place}</p>`}
        ${failure && failureNote(context, failure)}
      </div>
      ${context.isMaintainer && html`<p class="ways"><a href="${url}" aria-label="Edit and test ${name}">Edit and test</a></p>`}
    </li>`
}

/** The last message over the channel was given up. */
export function failureNote(context: PageContext, { deliveryId, answer, at }: Failure) {
  const url = `${notificationsUrl(context)}/deliveries/${deliveryId}`

  return html`<p class="problem">Not working: <a href="${url}">the last message could not be delivered</a> ${ago(at)}. <q>${answer.slice(0, 160).toWellFormed()}</q></p>`
}

/** The recipients of an e-mail channel; the host of others, whose addresses are secret. */
function whereTo({ kind, settings }: NotificationChannel, usernames: Map<number, string>) {
  if (kind === 'email') return describeRecipients(settings as unknown as EmailSettings, usernames).join(', ')
  const { host, topic } = settings as { host?: string; topic?: string }

  return topic ? `${host}/${topic}` : host
}
