import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Unavailable } from '#lib/refusals.ts'

const retryAfterSeconds = 5

/** Answers 503 to API and page requests while the event loop lags or the heap is almost full. */
export const overload = fp(async (app: FastifyInstance) => {
  const { delayMs, heapPercent } = app.platform.config.overload

  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    maxHeapUsedBytes: (getHeapStatistics().heap_size_limit * heapPercent) / 100,
    pressureHandler: async (request, _reply, type, value) => {
      // Infinity means that one long pause has just ended.
      if (value === Infinity) return
      request.log.warn({ [type]: value }, 'refused a request: overloaded')
      throw new Unavailable(retryAfterSeconds)
    }
  })
})
