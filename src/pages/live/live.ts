import type { FastifyInstance } from 'fastify'
import { LiveConnections } from '#platform/live/live-connections.ts'
import { liveMetrics } from '#platform/observability/metrics.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { readTopics } from './read-topics.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered for as long as the page is open: neither logged nor measured. */
    isLive?: true
  }
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // For nginx, which would collect events otherwise.
  'x-accel-buffering': 'no'
}

/** Tells open pages when what they show has changed. Pages that it refuses poll. */
export async function livePages(app: FastifyInstance) {
  const { listener, registry, fork } = app.platform
  const connections = new LiveConnections(listener)

  liveMetrics(registry, connections)

  app.addHook('preClose', async () => connections.close())
  app.get<{ Querystring: { topics?: string } }>(
    '/-/live',
    { onRequest: requirePerson(app), config: { isLive: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const { id } = request.user
      const topics = await readTopics(fork(), request.user, request.query.topics)

      connections.checkLimits(id)
      reply.hijack()
      // The connection outlives what authenticated it.
      request.caller = undefined
      reply.raw.writeHead(200, headers)
      connections.open(reply.raw, id, topics)
    }
  )
}
