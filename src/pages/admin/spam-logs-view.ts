import type { FastifyRequest } from 'fastify'
import type { User } from '#identity/users/user.ts'
import type { SpamLog } from '#spam/spam-log.ts'
import { formOf } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { pager } from '../list.ts'

const path = '/admin/spam_logs'
const maxShown = 2000

interface View {
  page: { rows: SpamLog[]; previous?: number | undefined; next?: number | undefined }
  hasService: boolean
  failure?: { failedAt: Date; message: string }
  problem?: string
  now: Date
}

export function spamLogsView(request: FastifyRequest, { page, hasService, failure, problem, now }: View) {
  return html`
    <h1>Spam</h1>
    <p class="lead">Public text from non-members is checked for spam by rules${hasService ? ' and by the service at' : ', and by a service if you set'} <code>SPAM_CHECK_URL</code>. Detected spam is listed here for 90 days and is not stored elsewhere.</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${hasService && failure && html`<p class="problem">The spam service failed ${ago(failure.failedAt, now)}: ${failure.message}. Text is not checked by it until it recovers.</p>`}
    ${page.rows.length > 0 ? html`<ul class="rows">${page.rows.map(log => row(request, log, now))}</ul>` : html`<p class="empty">No spam was detected.</p>`}
    ${pager(page, number => `${path}?page=${number}`)}`
}

function row(request: FastifyRequest, log: SpamLog, now: Date) {
  const { kind, title, text, reason, ipAddress, userAgent, viaApi, usedAt, markedAsHamAt, createdAt } = log
  const user = log.user as User

  return html`
    <li>
      <div>
        <p><strong>${title}</strong> <span class="badge">${kind}</span> ${usedAt && html`<span class="badge good">sent again</span>`} ${markedAsHamAt && html`<span class="badge good">no spam</span>`}</p>
        <p class="hint"><a href="/admin/users/${user.id}">@${user.username}</a>${user.state !== 'active' && html` (${user.state})`} ${ago(createdAt, now)} · ${viaApi ? 'API' : 'page'} · ${ipAddress} · ${reason}</p>
        ${text && html`<details><summary>Text</summary><pre class="file" tabindex="0" role="region" aria-label="Text of ${title}">${text.slice(0, maxShown)}</pre><p class="hint">${userAgent}</p></details>`}
        ${buttons(request, log, user)}
      </div>
    </li>`
}

function buttons(request: FastifyRequest, { id, markedAsHamAt }: SpamLog, { username, state }: User) {
  const button = (action: string, label: string, confirm?: string) =>
    formOf(
      request,
      { action: `${path}/${id}/${action}` },
      html`<button class="plain small"${confirm && html` data-confirm="${confirm}"`}>${label}</button>`
    )

  return html`
    <div class="actions">
      ${!markedAsHamAt && button('ham', 'Mark as not spam')}
      ${state === 'active' && button('block', 'Block the user')}
      ${button('removal', 'Delete the user', `Delete @${username} and all their personal projects? This cannot be undone.`)}
      ${button('deletion', 'Delete the log')}
    </div>`
}
