import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asProblem, problemOf } from '#api/problems/problem-of.ts'
import { sendProblem } from '#api/problems/problems.ts'
import { Forbidden } from '#lib/refusals.ts'
import { securityHeaders } from '#pages/layout/page.ts'
import { problemPage } from '#pages/layout/problem-page.ts'

/** Admits admins, and answers everyone else itself, because bull-board renders errors its own way. */
export function dashboardGuard(app: FastifyInstance) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await app.requireAdmin(request)
      reply.headers(securityHeaders(reply))
    } catch (error) {
      const known = asProblem(error)
      const problem = known ?? problemOf(new Forbidden())

      if (!known) request.log.error({ err: error }, 'failed to authorise a request to the dashboard')

      return (await problemPage(request, reply, problem)) ? reply : sendProblem(reply, problem)
    }
  }
}
