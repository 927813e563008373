import { counted } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { ago, timeIn } from '#pages/layout/time.ts'
import type { WebhookFailure } from '../deliveries/webhook-delivery-store.ts'
import type { Webhook } from '../webhook.ts'

const states = {
  executable: { name: 'working', badge: 'good' },
  temporarily_disabled: { name: 'paused', badge: 'medium' },
  disabled: { name: 'disabled', badge: 'fatal' }
} as const

export function stateBadge(webhook: Webhook, now: Date) {
  const { name, badge } = states[webhook.alertStatus(now)]

  return html`<span class="badge ${badge}">${name}</span>`
}

/** Until when and why a webhook is sent nothing; undefined while it works. */
export function stateNote(webhook: Webhook, failure: WebhookFailure | undefined, now: Date) {
  const { recentFailures, disabledUntil } = webhook
  const failures = `${counted(recentFailures, 'failure')} in a row`
  const state = webhook.alertStatus(now)

  if (recentFailures === 0) return undefined
  if (state === 'executable') return html`<p class="hint">${failures}.${reason(failure)}</p>`

  return html`
    <p class="problem">
      ${state === 'disabled' ? html`Disabled after ${failures}: nothing is sent. Save it or send a successful test to enable it again.` : html`Paused until ${timeIn('minute', disabledUntil!)} after ${failures}. Events in the meantime are sent then.`}
      ${reason(failure)}
    </p>`
}

function reason(failure: WebhookFailure | undefined) {
  if (!failure) return undefined
  const { status, answer, at } = failure

  return html` The last one, ${ago(at)}: <q>${/^\d/.test(status) ? `${status} ${answer}` : answer}</q>`
}
