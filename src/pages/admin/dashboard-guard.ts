import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden, Problem, sendProblem } from '../../http/problems/problems.ts'
import { protections } from '../layout/page.ts'
import { problemPage } from '../layout/problem-page.ts'

/** Admins pass. It answers everybody else itself: the dashboard behind it has a form of errors of its own. */
export function dashboardGuard(app: FastifyInstance) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await app.requireAdmin(request)
      reply.headers(protections(reply))
    } catch (error) {
      const problem = error instanceof Problem ? error : new Forbidden()

      if (!(error instanceof Problem)) request.log.error({ err: error }, 'the dashboard could not be guarded')

      return problemPage(request, reply, problem) ?? sendProblem(reply, problem)
    }
  }
}
