import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readDevice, readSession } from '#api/guards/cookies.ts'
import type { AccountContext } from '#identity/sessions/sessions.ts'
import { User } from '#identity/users/user.ts'
import { Forbidden } from '#lib/refusals.ts'

/** A guard that rejects access tokens: their scopes do not cover the pages. */
export function requirePerson(app: FastifyInstance, admit = app.requireUser) {
  return async (request: FastifyRequest) => {
    await admit(request)
    if (request.caller?.scopes !== 'all' || !readSession(request)) throw new Forbidden('Sign in with a browser for this')
  }
}

/** As `requirePerson`, for passwords, second factors, sessions and tokens: not for an admin who impersonates the user. */
export function requireOneself(app: FastifyInstance) {
  const requireBrowser = requirePerson(app)

  return async (request: FastifyRequest) => {
    await requireBrowser(request)
    refuseImpersonation(request)
  }
}

export function refuseImpersonation({ caller }: FastifyRequest) {
  if (caller?.sudoer) throw new Forbidden('Not available while you impersonate a user')
}

/** The signed-in user's own account, freshly loaded. */
export async function loadAccount(request: FastifyRequest) {
  const user = await request.em.findOneOrFail(User, { id: request.user.id })
  const account: AccountContext = {
    user,
    actor: request.actor,
    session: readSession(request) ?? '',
    device: readDevice(request),
    at: new Date()
  }

  return { em: request.em, account }
}
