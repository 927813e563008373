import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { endImpersonation } from '#identity/sessions/impersonate.ts'
import { requirePerson } from './require-sign-in.ts'
import { setSessionCookie } from './sign-in.ts'

/** The button of the banner that admins see while they impersonate a user. */
export async function impersonationPage(app: FastifyInstance) {
  app.post('/-/impersonation/end', { onRequest: requirePerson(app) }, async (request: FastifyRequest, reply) => {
    const ended = await endImpersonation(request.em, { session: readSession(request)!, ip: request.ip })

    return ended ? redirect(setSessionCookie(reply, ended.secret), `/admin/users/${ended.user.id}`) : redirect(reply, '/')
  })
}
