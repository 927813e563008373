import type { FastifyReply } from 'fastify'
import { count } from '#lib/counted.ts'
import type { Attempt } from '#notifications/deliveries/attempts.ts'
import type { Delivery } from '#notifications/deliveries/delivery.ts'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { lineOf } from '#notifications/messages/wording.ts'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { timeIn } from '#pages/layout/time.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { kindTexts } from '../channels/kind-texts.ts'
import { notificationPage, notificationsUrl } from '../frame.ts'
import { deliveryBadge, due } from './delivery-rows.ts'
import type { LoadedDelivery } from './load-delivery.ts'

const outcomes = { sent: 'accepted', retry: 'tried again', failed: 'given up', discarded: 'not sent' }

export function showDelivery(reply: FastifyReply, context: PageContext, loaded: LoadedDelivery) {
  const { delivery, attempts, message, line, total } = loaded
  const url = `${notificationsUrl(context)}/deliveries/${delivery.id}`
  const title = total > 1 ? `${count(total)} notifications` : (line ?? 'A delivery')

  return notificationPage(
    reply,
    context,
    title,
    html`
    <div class="heading">
      <h1>${title}</h1>
      ${context.isMaintainer && delivery.canBeSent(new Date()) && formOf(reply.request, { action: `${url}/resend` }, html`<button class="plain">${sendLabel(delivery)}</button>`)}
    </div>
    <div class="split">
      <div id="delivery"${!delivery.isFinal && html` data-live="5"`}>
        ${facts(context, loaded)}
        ${attempts.length > 0 && html`<h2>Attempts</h2>${attemptTable(attempts)}`}
      </div>
      <div>
        <h2>Message</h2>
        ${message ? occurrenceList(message) : html`<p class="hint">Everything it was about has been deleted.</p>`}
      </div>
    </div>`
  )
}

function sendLabel({ status, sentAt }: Delivery) {
  if (sentAt) return 'Send again'

  return status === 'failed' ? 'Try again' : 'Send now'
}

function facts(context: PageContext, { delivery, recipient, channel, mute }: LoadedDelivery) {
  const { isMaintainer } = context
  const url = notificationsUrl(context)
  const name = channel && (isMaintainer ? html`<a href="${url}/channels/${channel.id}">${channel.name}</a>` : channel.name)
  const isWaiting = !delivery.isFinal

  return html`
    <dl class="facts">
      <div><dt>State</dt><dd>${deliveryBadge(delivery)}${isWaiting && html` ${delivery.attempts > delivery.firstAttempt ? 'next attempt is due' : 'goes out'} ${due(delivery.sendAt, new Date())}`}</dd></div>
      ${recipient !== channel?.name && html`<div><dt>To</dt><dd>${recipient}</dd></div>`}
      ${channel && html`<div><dt>Channel</dt><dd>${name} (${kindTexts[channel.kind].name})</dd></div>`}
      <div><dt>Reason</dt><dd>${delivery.reason}</dd></div>
      ${mute && html`<div><dt>Held by</dt><dd><a href="${url}/mutes/${mute.id}">${mute.reason}</a></dd></div>`}
      ${delivery.isLimited && html`<div><dt>Hourly limit</dt><dd>Held back this message.</dd></div>`}
      <div><dt>Created</dt><dd>${timeIn('minute', delivery.createdAt)}</dd></div>
    </dl>`
}

function attemptTable(attempts: Attempt[]) {
  return html`
    <table class="stacked attempts">
      <thead><tr><th scope="col">Time</th><th scope="col">Answer</th><th scope="col">Then</th></tr></thead>
      <tbody>${attempts.map(
        ({ at, status, answer, next_at: next }) => html`
        <tr>
          <th scope="row">${timeIn('second', at)}</th>
          <td data-label="Answer"${status === 'failed' && html` class="bad"`}>${answer}</td>
          <td data-label="Then">${next ? html`next try ${timeIn('second', next)}` : outcomes[status]}</td>
        </tr>`
      )}</tbody>
    </table>`
}

function occurrenceList({ occurrences, total }: Message) {
  return html`
    <ul class="rows deliveries">${occurrences.map(occurrenceRow)}</ul>
    ${total > occurrences.length && html`<p class="hint">And ${count(total - occurrences.length)} more.</p>`}`
}

function occurrenceRow(occurrence: Occurrence) {
  const { entry, subject } = occurrence

  return html`
    <li>
      <div>
        <p><a href="${subject.url}">${lineOf(occurrence)}</a></p>
        <p class="hint">${timeIn('minute', entry.createdAt)} · ${[subject.severity, subject.status, ...subject.environments].filter(Boolean).join(' · ')}</p>
      </div>
    </li>`
}
