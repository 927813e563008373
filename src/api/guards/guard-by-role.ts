import type { FastifyInstance } from 'fastify'
import type { LeastRole } from '../openapi/operation.ts'
import { guardBody } from './guards.ts'

/**
 * Routes that state a role have its guard, unless they have one of their own. The role itself is enforced by the scoped query: the guard
 * says only whether somebody, or an admin, must have signed in. Register it before the routes.
 */
export function guardByRole(app: FastifyInstance) {
  app.addHook('onRoute', route => {
    const guard = route.onRequest ? undefined : guardOf(app, route.config?.role)

    if (!guard) return
    route.onRequest = guard
    guardBody(route, guard)
  })
}

/** Runners have tokens of their own. */
function guardOf(app: FastifyInstance, role: LeastRole | undefined) {
  if (role === undefined || role === 'runner') return undefined
  if (role === 'anyone') return app.allowAnyone

  return role === 'admin' ? app.requireAdmin : app.requireUser
}
