import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NotFound } from '../../http/problems/problems.ts'
import { hashSecret } from '../../identity/secrets.ts'
import type { Session } from '../../identity/sessions/session.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '../../identity/sessions/sessions.ts'
import { describeUserAgent } from '../../lib/user-agent.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import { meOf, requirePerson } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/sessions'

/** Where somebody is signed in, and ending that. */
export async function sessionsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const { em, user, session, at } = await meOf(request)
    const sessions = await listSessions(em, user, at)
    const isThis = (one: Session) => hashSecret(session).equals(Buffer.from(one.tokenHash))

    return settingsPage(
      reply,
      path,
      html`
      <h1>Sessions</h1>
      <p class="lead">These browsers are signed in as you. End those you do not know, and change your password then.</p>
      <ul class="rows">${sessions.map(one => row(request, one, isThis(one), at))}</ul>
      ${sessions.length > 1 && formOf(request, { action: `${path}/others` }, html`<button class="plain">End all but this one</button>`)}`
    )
  })

  app.post(`${path}/others`, guard, async (request, reply) => {
    const { em, user, actor, session } = await meOf(request)

    await revokeOtherSessions(em, user, session, actor)
    flash(reply, 'All other sessions are ended.')

    return reply.redirect(path, 303)
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/revocation`, guard, async (request, reply) => {
    const { em, user, actor } = await meOf(request)

    if (!(await revokeSession(em, user, Number(request.params.id), actor))) throw new NotFound('Session')
    flash(reply, 'The session is ended.')

    return reply.redirect(path, 303)
  })
}

function row(request: FastifyRequest, { id, userAgent, ip, seenAt, createdAt }: Session, isThis: boolean, now: Date) {
  const what = describeUserAgent(userAgent ?? '')

  return html`
    <li>
      <div>
        <p><strong>${what}</strong> ${isThis && html`<span class="badge good">this one</span>`}</p>
        <p class="hint">${ip} · seen ${ago(seenAt, now)} · signed in ${day(createdAt)}</p>
      </div>
      ${!isThis && formOf(request, { action: `${path}/${id}/revocation` }, html`<button class="plain" aria-label="End the session of ${what}, ${ip}">End</button>`)}
    </li>`
}
