import type { FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { count } from '#lib/counted.ts'
import { type DeliveryStatus, deliveryStatuses } from '#notifications/deliveries/delivery.ts'
import type { ListedDelivery } from '#notifications/deliveries/list-deliveries.ts'
import { describeMailServer } from '#platform/mail/describe-server.ts'
import { formOf } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { deliveryBadge, statusTexts } from '../notifications/deliveries/delivery-rows.ts'
import { tabLink } from '../projects/project-page.ts'
import { type MailForm, mailServerForm } from './mail-form.ts'
import type { MailTest } from './mail-test.ts'

interface MailView {
  status?: DeliveryStatus | undefined
  counts: Map<DeliveryStatus, number>
  mails: ListedDelivery[]
  form: MailForm
  sealed?: string | undefined
  /** The form has other values than those that are stored. */
  isUnsaved: boolean
  /** The mail server's answer to the test. */
  answer?: MailTest | undefined
}

export function mailView(request: FastifyRequest, config: Config, view: MailView) {
  const { status, counts, mails, answer } = view
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0)
  const now = new Date()

  return html`
    <div class="heading">
      <h1>Mail</h1>
      ${config.smtp.isGiven && formOf(request, { action: '/admin/mail/test' }, html`<button class="plain">Send a test e-mail</button>`)}
    </div>
    ${answer && testAnswer(answer.isAccepted && view.isUnsaved ? { ...answer, meaning: 'Save to use this server.' } : answer)}
    ${config.smtp.isGiven ? html`${view.form.notices()}${server(config)}` : enteredServer(request, config, view)}
    <h2>Notifications by e-mail, 30 days</h2>
    <nav class="tabs" aria-label="State">
      ${tabLink('/admin/mail', `all ${count(total)}`, !status)}
      ${deliveryStatuses.map(one => tabLink(`/admin/mail?status=${one}`, `${statusTexts[one].name} ${count(counts.get(one) ?? 0)}`, one === status))}
    </nav>
    ${mails.length > 0 ? html`<ul class="rows deliveries">${mails.map(listed => row(listed, now))}</ul>` : html`<p class="empty">No e-mail${status && ' in this state'}.</p>`}
    <p class="hint">Address confirmations are not listed here. The <a href="/admin/queues">queue <code>mail</code></a> shows those that could not be sent.</p>`
}

function enteredServer(request: FastifyRequest, { smtp, baseUrl }: Config, { form, sealed }: MailView) {
  const isStored = smtp.url !== undefined

  return html`
    ${!isStored && html`<p class="warning">No mail server is configured. E-mail waits for one, for up to three days; notifications by e-mail are not sent.</p>`}
    <div class="column">${mailServerForm(request, form, { isStored, sealed, isFromGiven: smtp.isFromGiven, defaultSender: defaultSender(baseUrl) })}</div>`
}

function testAnswer({ isAccepted, meaning, text }: MailTest) {
  return html`
    <section class="${isAccepted ? 'made' : 'problem'}" role="status">
      <p><strong>${isAccepted ? 'The mail server accepted the test e-mail' : 'The mail server did not accept the test e-mail'}</strong>${isAccepted && ', which is on its way to you'}.${meaning && ` ${meaning}`}</p>
      <pre tabindex="0" aria-label="Answer">${text}</pre>
    </section>`
}

function server({ smtp: { url, from, replyTo }, baseUrl }: Config) {
  const { host, encryption, user } = describeMailServer(url!)

  return html`
    <p class="hint">The environment variable <code>SMTP_URL</code> sets the mail server.</p>
    <dl class="facts column">
      <div><dt>Server</dt><dd>${host}</dd></div>
      <div><dt>Encryption</dt><dd>${encryption}</dd></div>
      <div><dt>Signs in as</dt><dd>${user || 'no user (no authentication)'}</dd></div>
      <div><dt>From</dt><dd>${from?.address ?? defaultSender(baseUrl)}</dd></div>
      <div><dt>Replies to</dt><dd>${replyTo?.address ?? 'the sender'}</dd></div>
    </dl>`
}

function defaultSender(baseUrl: string) {
  return `tocsin@${new URL(baseUrl).hostname}`
}

function row({ delivery, recipient, line, total }: ListedDelivery, now: Date) {
  return html`
    <li>
      <div>
        <p>${deliveryBadge(delivery)} <a href="/projects/${delivery.projectId}/notifications/deliveries/${delivery.id}">${line ?? 'Something that was deleted'}</a> ${total > 1 && html`<span class="hint">and ${count(total - 1)} more</span>`}</p>
        <p class="hint">To ${recipient} · ${ago(delivery.sentAt ?? delivery.createdAt, now)}${delivery.answer && html` · <q>${delivery.answer.slice(0, 160).toWellFormed()}</q>`}</p>
      </div>
    </li>`
}
