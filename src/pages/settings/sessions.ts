import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { hashSecret } from '#identity/secrets.ts'
import type { Session } from '#identity/sessions/session.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '#identity/sessions/sessions.ts'
import { NotFound } from '#lib/refusals.ts'
import { describeUserAgent } from '#lib/user-agent.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/sessions'

export async function sessionsPage(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app) }

  app.get(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const sessions = await listSessions(em, account)
    const current = hashSecret(account.session)

    return settingsPage(
      reply,
      path,
      html`
      <h1>Sessions</h1>
      <p class="lead">These browsers are signed in to your account. If you do not recognise one, end it and change your password.</p>
      <ul class="rows">${sessions.map(session => row(request, session, current.equals(session.tokenHash), account.at))}</ul>
      ${sessions.length > 1 && formOf(request, { action: `${path}/others` }, html`<button class="plain">End all other sessions</button>`)}`
    )
  })

  app.post(`${path}/others`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)

    await revokeOtherSessions(em, account)
    flash(reply, 'All other sessions ended.')

    return redirect(reply, path)
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/revocation`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)

    if (!(await revokeSession(em, account, Number(request.params.id)))) throw new NotFound('Session')
    flash(reply, 'Session ended.')

    return redirect(reply, path)
  })
}

function row(request: FastifyRequest, { id, userAgent, ip, seenAt, createdAt }: Session, isCurrent: boolean, now: Date) {
  const name = describeUserAgent(userAgent ?? '')

  return html`
    <li>
      <div>
        <p><strong>${name}</strong> ${isCurrent && html`<span class="badge good">this session</span>`}</p>
        <p class="hint">${ip} · last seen ${ago(seenAt, now)} · signed in ${day(createdAt)}</p>
      </div>
      ${!isCurrent && formOf(request, { action: `${path}/${id}/revocation` }, html`<button class="plain" aria-label="End the session of ${name}, ${ip}">End</button>`)}
    </li>`
}
