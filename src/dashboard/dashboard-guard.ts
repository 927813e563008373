import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden, Problem, sendProblem } from '#api/problems/problems.ts'
import { securityHeaders } from '#pages/layout/page.ts'
import { problemPage } from '#pages/layout/problem-page.ts'

/** Admits admins, and answers everyone else itself, because bull-board renders errors its own way. */
export function dashboardGuard(app: FastifyInstance) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await app.requireAdmin(request)
      reply.headers(securityHeaders(reply))
    } catch (error) {
      const problem = error instanceof Problem ? error : new Forbidden()

      if (!(error instanceof Problem)) request.log.error({ err: error }, 'failed to authorise a request to the dashboard')

      return (await problemPage(request, reply, problem)) ? reply : sendProblem(reply, problem)
    }
  }
}
