import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAway, QueueFull } from '../../platform/problems.ts'
import { Failed, later, Problem, sendProblem, TooLarge, UnknownRoute, WrongContentType } from './problems.ts'

/** Answers those who are better told in another form than the REST API's, and leaves the others. */
export type TellOtherwise = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply | undefined

/** Answers in the shape of the REST API; nothing of an unforeseen error leaks out. */
export function renderProblems(app: FastifyInstance, tellOtherwise: TellOtherwise = () => undefined) {
  const tell = (request: FastifyRequest, reply: FastifyReply, problem: Problem) =>
    tellOtherwise(request, reply, problem) ?? sendProblem(reply, problem)

  app.setNotFoundHandler((request, reply) => tell(request, reply, new UnknownRoute()))
  app.setErrorHandler((error, request, reply) => tell(request, reply, toProblem(error as FastifyError, request)))
}

/** What is told of an error, whatever it was; an unforeseen one is logged. */
export function toProblem(error: FastifyError, request: FastifyRequest) {
  if (error instanceof Problem) return error
  if (error instanceof QueueFull) return later(error.retryAfter)
  if (isAway(error)) return later(5)
  if (error.statusCode === 413) return new TooLarge()
  if (error.statusCode === 415) return new WrongContentType(request.headers['content-type'] ?? '')
  if (error.statusCode && error.statusCode < 500) return new Problem(error.statusCode, { error: error.message })

  request.log.error({ err: error }, 'a request failed')

  return new Failed()
}
