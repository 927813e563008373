import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Caller } from '#lib/caller.ts'
import { Forbidden, InsufficientScope, Unauthenticated } from '#lib/refusals.ts'
import { withTimeLimit } from '#platform/time-limit.ts'
import { readSession } from './cookies.ts'
import { isCsrfToken } from './csrf.ts'

/**
 * Authenticates a request. Returns undefined without a credential; throws when the credential is invalid, the user is
 * blocked, or may not sudo as the named user.
 */
export type Identify = (request: FastifyRequest) => Promise<Caller | undefined>

type Guard = (request: FastifyRequest) => Promise<void>

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
  interface FastifyContextConfig {
    /** A token needs one of these scopes. */
    scopes?: string[]
    /** CI job tokens are accepted. */
    allowsJobToken?: true
    /** Rotates the calling token: a revoked token used here has leaked, so its family is revoked. */
    rotatesToken?: true
    /** Accessible while the user still has to change a one-time password. */
    allowsOneTimePassword?: true
    /** Waits no longer for the database than for the queue: 503, so that the client tries again. */
    isIntake?: true
    /** Not logged and not rate limited: metrics only. */
    isQuiet?: true
  }
  interface FastifyInstance {
    /** Admits anonymous requests; an invalid credential is still an error. */
    allowAnyone: (request: FastifyRequest) => Promise<void>
    requireUser: (request: FastifyRequest) => Promise<void>
    requireAdmin: (request: FastifyRequest) => Promise<void>
  }
}

/** Decorates the app with guards for a route's `onRequest`. */
export const guards = fp<{ identify: Identify; intakeTimeoutMs: number }>(async (app, { identify, intakeTimeoutMs }) => {
  app.decorateRequest('caller', undefined)
  app.addHook('onResponse', (request, _reply, done) => {
    request.caller = undefined
    done()
  })

  const allowAnyone = async (request: FastifyRequest) => {
    const caller = await (request.routeOptions.config.isIntake ? withTimeLimit(intakeTimeoutMs, identify(request)) : identify(request))

    if (!caller) return
    if (caller.by.kind === 'session') {
      checkPassword(caller, request)
      checkImpersonation(caller, request)
      checkOrigin(request)
    }
    checkScopes(caller, request.routeOptions.config.scopes ?? defaultScopes(request))
    request.caller = caller
  }
  const requireUser = async (request: FastifyRequest) => {
    await allowAnyone(request)
    if (!request.caller) throw new Unauthenticated()
  }

  const requireAdmin = async (request: FastifyRequest) => {
    await requireUser(request)
    if (!request.caller?.user.isAdmin) throw new Forbidden()
  }

  app.decorate('allowAnyone', allowAnyone)
  app.decorate('requireUser', requireUser)
  app.decorate('requireAdmin', requireAdmin)
  guardBodies(app, [allowAnyone, requireUser, requireAdmin])
})

function guardBodies(app: FastifyInstance, guards: unknown[]) {
  app.addHook('onRoute', route => {
    const guard = [route.onRequest ?? []].flat().find(hook => guards.includes(hook)) as Guard | undefined

    if (guard) guardBody(route, guard)
  })
}

/** `sudo` also counts in a body, which is read after onRequest: such a request passes its guard again, as the other user. */
export function guardBody(route: RouteOptions, guard: Guard) {
  if (route.method === 'GET') return

  route.preValidation = [route.preValidation ?? []].flat().concat(async request => {
    if ((request.body as { sudo?: unknown } | undefined)?.sudo !== undefined) await guard(request)
  })
}

function defaultScopes({ method }: FastifyRequest) {
  return method === 'GET' || method === 'HEAD' ? ['api', 'read_api'] : ['api']
}

function checkPassword({ user, sudoer }: Caller, request: FastifyRequest) {
  if (user.mustChangePassword && !sudoer && !request.routeOptions.config.allowsOneTimePassword) {
    throw new Forbidden('Change your one-time password first, at /users/password')
  }
}

/** An admin who impersonates a user in a browser has the pages; the API could create credentials of the user. */
function checkImpersonation({ sudoer }: Caller, { method, url }: FastifyRequest) {
  if (sudoer && url.startsWith('/api/') && !['GET', 'HEAD'].includes(method))
    throw new Forbidden('Not available while you impersonate a user')
}

function checkScopes({ scopes }: Caller, allowed: string[]) {
  if (scopes !== 'all' && !scopes.some(scope => allowed.includes(scope))) throw new InsufficientScope(allowed)
}

/** CSRF: browsers send cookies with cross-site requests, so a change must come from one of our pages. */
function checkOrigin(request: FastifyRequest) {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method) || !readSession(request)) return

  const { 'sec-fetch-site': site, origin, host } = request.headers
  const isOurs = site
    ? site === 'same-origin'
    : origin
      ? URL.parse(origin)?.host === host
      : isCsrfToken(request, request.headers['x-csrf-token'])

  if (!isOurs) throw new Forbidden('Cross-site request')
}
