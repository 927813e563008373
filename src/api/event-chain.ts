import type { FastifyInstance } from 'fastify'
import { withEventChain } from '#platform/event-chain.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Receivers of webhooks that send our `X-Gitlab-Event-UUID` on, as GitLab's do, cause no endless chains of events. */
export function followEventChains(app: FastifyInstance) {
  // Not earlier: the body is read in another asynchronous context.
  app.addHook('preHandler', (request, _reply, done) => {
    const given = request.headers['x-gitlab-event-uuid']

    if (typeof given === 'string' && uuid.test(given)) withEventChain(given.toLowerCase(), done)
    else done()
  })
}
