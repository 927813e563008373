import type { FastifyError, FastifyInstance } from 'fastify'
import { Problem, sendProblem } from '#api/problems/problems.ts'
import { toProblem } from '#api/problems/render-problems.ts'
import { InvalidRequest, OAuthError } from './errors.ts'

/** Renders every error of the OAuth endpoints as RFC 6749 §5.2 says. */
export function renderOAuthErrors(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toOAuthError(toProblem(error as FastifyError, request))))
}

function toOAuthError(problem: Problem) {
  const { status, headers } = problem

  // Unknown paths and wrong methods answer as everywhere.
  if (problem instanceof OAuthError || status === 404 || status === 405) return problem
  if (status < 500 && status !== 429) return new Problem(status, new InvalidRequest(problem.summary()).body, headers)
  const code = status === 500 ? 'server_error' : 'temporarily_unavailable'

  return new Problem(status, { error: code, error_description: problem.summary() }, headers)
}
