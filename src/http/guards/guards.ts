import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Forbidden, InsufficientScope, Unauthorized } from '../problems/problems.ts'
import { isCsrfToken } from './csrf.ts'

/** As much of a user as it takes to let somebody in. */
export interface Account {
  id: number
  username: string
  name: string
  isAdmin: boolean
  mustChangePassword: boolean
  isActive: () => boolean
}

/** Whoever made a request, and what the credential it came with allows. */
export interface Caller {
  user: Account
  /** A session may do everything its user may; a token, what its scopes say. */
  scopes: string[] | 'all'
  by: Credential
  /** The admin who acts as this user. */
  sudoer?: Account
}

/** What a request came with: a browser's session, an access token of somebody's, or the token of a job in a project. */
export type Credential = { kind: 'session' } | { kind: 'token'; id: number } | { kind: 'job'; projectId: number }

/**
 * Finds out who calls, or nobody. A credential that is wrong is not the same as none: it throws,
 * and so it does for somebody who is kept out, or who may not act as the one they name.
 */
export type Identify = (request: FastifyRequest) => Promise<Caller | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
  interface FastifyContextConfig {
    /** Any of these lets a token use the route. */
    scopes?: string[]
    /** The token of a running job is good for this, too. */
    allowsJobToken?: true
    /** Puts another token in the place of one: a revoked token that asks for it has been in two hands. */
    rotatesToken?: true
    /** The one place where a one-time password is good for something. */
    allowsOneTimePassword?: true
    /** Asked so often that only the metrics tell of it. */
    isQuiet?: true
  }
  interface FastifyInstance {
    /** Anybody may ask; somebody who says who they are must be right about it. */
    allowAnyone: (request: FastifyRequest) => Promise<void>
    requireUser: (request: FastifyRequest) => Promise<void>
    requireAdmin: (request: FastifyRequest) => Promise<void>
  }
}

/** Decorates the app with the guards that a route names in its `onRequest`. */
export const guards = fp<{ identify: Identify }>(async (app: FastifyInstance, { identify }) => {
  app.decorateRequest('caller', undefined)
  app.addHook('onResponse', (request, _reply, done) => {
    request.caller = undefined
    done()
  })

  const allowAnyone = async (request: FastifyRequest) => {
    const caller = await identify(request)

    if (!caller) return
    if (caller.by.kind === 'session') {
      checkPassword(caller, request)
      checkOrigin(request)
    }
    checkScopes(caller, request.routeOptions.config.scopes ?? defaultScopes(request))
    request.caller = caller
  }
  const requireUser = async (request: FastifyRequest) => {
    await allowAnyone(request)
    if (!request.caller) throw new Unauthorized()
  }

  app.decorate('allowAnyone', allowAnyone)
  app.decorate('requireUser', requireUser)
  app.decorate('requireAdmin', async (request: FastifyRequest) => {
    await requireUser(request)
    if (!request.caller?.user.isAdmin) throw new Forbidden()
  })
})

function defaultScopes({ method }: FastifyRequest) {
  return method === 'GET' || method === 'HEAD' ? ['api', 'read_api'] : ['api']
}

function checkPassword({ user }: Caller, request: FastifyRequest) {
  if (user.mustChangePassword && !request.routeOptions.config.allowsOneTimePassword) {
    throw new Forbidden('Change your one-time password first, at /users/password')
  }
}

function checkScopes({ scopes }: Caller, allowed: string[]) {
  if (scopes !== 'all' && !scopes.some(scope => allowed.includes(scope))) throw new InsufficientScope(allowed)
}

/** A browser sends its cookie along from anywhere: a change must come from a page of ours. */
function checkOrigin(request: FastifyRequest) {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method) || !request.cookies?._service_session) return

  const { 'sec-fetch-site': site, origin, host } = request.headers
  const isOurs = site
    ? site === 'same-origin'
    : origin
      ? URL.parse(origin)?.host === host
      : isCsrfToken(request, request.headers['x-csrf-token'])

  if (!isOurs) throw new Forbidden('Cross-site request')
}
