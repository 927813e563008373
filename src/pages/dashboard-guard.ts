import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden, Problem, sendProblem } from '../http/problems.ts'
import { signInPage } from './sign-in.ts'

/** Admins pass. A person at a browser is asked to sign in; a program is told no in its own terms. */
export function dashboardGuard(app: FastifyInstance) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await app.requireAdmin(request)
    } catch (error) {
      const problem = error instanceof Problem ? error : new Forbidden()
      const isPerson = request.headers.accept?.includes('text/html')

      if (!(error instanceof Problem)) request.log.error({ err: error }, 'the dashboard could not be guarded')
      if (isPerson && request.method === 'GET' && problem.status === 401) {
        return signInPage(app, reply.code(401), { returnTo: request.url })
      }
      if (isPerson && request.caller === undefined && /one-time/.test(problem.message)) {
        return reply.redirect(`/users/password?return_to=${encodeURIComponent(request.url)}`, 303)
      }

      return sendProblem(reply, problem)
    }
  }
}
