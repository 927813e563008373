import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotFound, TooLarge, Unavailable, Unprocessable } from '#lib/refusals.ts'
import { GitOutputTooLarge, GitTimedOut } from '#platform/git/git-errors.ts'
import { TooManyProcesses } from '#platform/git/process-limit.ts'
import { isForeignKeyViolation, isSerializationFailure, isUnavailable, QueueFull } from '#platform/problems.ts'
import { InvalidParameters, withLaterParts } from '../parameters/validation.ts'
import { asProblem, problemOf } from './problem-of.ts'
import { InternalError, Problem, sendProblem, UnknownRoute, WrongContentType } from './problems.ts'

/** Sends a problem in another format than JSON, or returns false. A promise of a reply would be one of undefined, once it is sent. */
export type ProblemRenderer = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => Promise<boolean>

/** Renders every error in the REST API's format. Unexpected errors are logged and reveal nothing. */
export function renderProblems(app: FastifyInstance, renderOther: ProblemRenderer = async () => false) {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error as FastifyError, request)

    return (await renderOther(request, reply, problem)) ? reply : sendProblem(reply, problem)
  })
}

/** Sends a page that has no route of its own, or returns false. */
type PageFinder = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/** Answers 404 for unknown paths. The hooks of this plugin run before, as for its routes. */
export function rejectUnknownPaths(app: FastifyInstance, findPage: PageFinder = async () => false) {
  app.setNotFoundHandler(async (request, reply) => {
    if (!(await findPage(request, reply))) throw new UnknownRoute()

    return reply
  })
}

/** Converts any error to a problem; an unexpected one is logged. */
export function toProblem(error: FastifyError, request: FastifyRequest) {
  if (error instanceof InvalidParameters) return withLaterParts(error, request)
  const problem = asProblem(refusalFor(error) ?? error)

  if (problem) return problem
  if (error.statusCode === 415) return new WrongContentType(request.headers['content-type'] ?? '')
  if (error.statusCode && error.statusCode < 500) return new Problem(error.statusCode, { error: error.message })
  if (isForeignKeyViolation(error)) {
    request.log.warn({ err: error }, 'what a request refers to was deleted meanwhile')

    return problemOf(new NotFound())
  }

  request.log.error({ err: error }, 'a request failed')

  return new InternalError()
}

/** What a failure of the platform means to the client. */
function refusalFor(error: FastifyError) {
  if (error instanceof QueueFull || error instanceof TooManyProcesses) return new Unavailable(error.retryAfter)
  if (error instanceof GitTimedOut || error instanceof GitOutputTooLarge) return new Unprocessable('the repository is too large for this')
  if (isUnavailable(error)) return new Unavailable(5)
  // Postgres rolled the transaction back.
  if (isSerializationFailure(error)) return new Unavailable(1)

  return error.statusCode === 413 ? new TooLarge() : undefined
}
