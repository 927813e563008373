import { count } from '#lib/counted.ts'
import type { Delivery, DeliveryStatus } from '#notifications/deliveries/delivery.ts'
import type { ListedDelivery } from '#notifications/deliveries/list-deliveries.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { kindTexts } from '../channels/kind-texts.ts'

/** The name of each state, and the class of its badge. */
export const statusTexts: Record<DeliveryStatus, { name: string; badge: string }> = {
  failed: { name: 'failed', badge: 'fatal' },
  sending: { name: 'sending', badge: 'medium' },
  retrying: { name: 'waiting to try again', badge: 'medium' },
  pending: { name: 'waiting', badge: '' },
  held: { name: 'held', badge: 'low' },
  sent: { name: 'sent', badge: 'good' },
  discarded: { name: 'discarded', badge: '' }
}

export function deliveryBadge({ status }: Delivery) {
  const { name, badge } = statusTexts[status as DeliveryStatus]

  return html`<span class="badge ${badge}">${name}</span>`
}

/** Deliveries as rows of a list, the one before the other. */
export function deliveryRows(url: string, deliveries: ListedDelivery[], now: Date) {
  return html`<ul class="rows deliveries">${deliveries.map(listed => row(url, listed, now))}</ul>`
}

function row(url: string, { delivery, recipient, channel, line, total }: ListedDelivery, now: Date) {
  const kind = channel && kindTexts[channel.kind].name

  return html`
    <li>
      <div>
        <p>${deliveryBadge(delivery)} <a href="${url}/deliveries/${delivery.id}">${line ?? 'Something that was deleted'}</a> ${total > 1 && html`<span class="hint">and ${count(total - 1)} more</span>`}</p>
        <p class="hint">To ${recipient}${kind && ` (${kind})`} · ${whenOf(delivery, now)}${answerOf(delivery)}</p>
      </div>
    </li>`
}

function whenOf({ status, isFinal, createdAt, sentAt, sendAt, attempts, firstAttempt }: Delivery, now: Date) {
  if (isFinal) return ago(status === 'sent' ? (sentAt ?? createdAt) : createdAt, now)

  return html`${attempts > firstAttempt ? `attempt ${attempts - firstAttempt + 1} is due` : 'goes out'} ${due(sendAt, now)}`
}

/** "in 5 minutes", or "now" for what is overdue. */
export function due(at: Date, now: Date) {
  return at.getTime() - now.getTime() < 60_000 ? 'now' : ago(at, now)
}

function answerOf({ status, answer }: Delivery) {
  return answer && status !== 'sent' && html` · <q>${answer.length > 160 ? `${answer.slice(0, 160).toWellFormed()}…` : answer}</q>`
}
