import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { later } from '../problems/problems.ts'

const retryAfterSeconds = 5

/** Turns people and API clients away while the process cannot keep up, so that it can again. */
export const overload = fp(async (app: FastifyInstance) => {
  const { delayMs, heapPercent } = app.platform.config.overload

  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    maxHeapUsedBytes: (getHeapStatistics().heap_size_limit * heapPercent) / 100,
    pressureHandler: async (request, _reply, type, value) => {
      // A second without a single measurement was one long halt, which is over by now.
      if (value === Infinity) return
      request.log.warn({ [type]: value }, 'refused: too much to do')
      throw later(retryAfterSeconds)
    }
  })
})
