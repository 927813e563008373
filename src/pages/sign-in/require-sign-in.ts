import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorOf } from '../../audit/record-audit-event.ts'
import { Forbidden } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { User } from '../../identity/users/user.ts'
import { readSession } from './session-cookie.ts'

/** For pages about one's own account: a token, which may do less than its owner, must not come by more here. */
export function requirePerson(app: FastifyInstance) {
  return async (request: FastifyRequest) => {
    await app.requireUser(request)
    if (request.caller?.scopes !== 'all' || !readSession(request)) throw new Forbidden('Sign in with a browser for this')
  }
}

/** Whoever asks, as they are in the database now, and what it takes to change that. */
export async function meOf(request: FastifyRequest) {
  const em = request.server.platform.fork()
  const user = await em.findOneOrFail(User, { id: callerOf(request).id })

  return { em, user, actor: actorOf(request), session: readSession(request) ?? '', at: new Date() }
}
