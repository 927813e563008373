import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { isAway, QueueFull } from '../platform/problems.ts'
import { Failed, later, Problem, sendProblem, TooLarge, UnknownRoute, WrongContentType } from './problems.ts'

/** Answers in the shape of the REST API; nothing of an unforeseen error leaks out. */
export function renderProblems(app: FastifyInstance) {
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new UnknownRoute()))
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toProblem(error as FastifyError, request)))
}

function toProblem(error: FastifyError, request: FastifyRequest) {
  if (error instanceof Problem) return error
  if (error instanceof QueueFull) return later(error.retryAfter)
  if (isAway(error)) return later(5)
  if (error.statusCode === 413) return new TooLarge()
  if (error.statusCode === 415) return new WrongContentType(request.headers['content-type'] ?? '')
  if (error.statusCode && error.statusCode < 500) return new Problem(error.statusCode, { error: error.message })

  request.log.error({ err: error }, 'a request failed')

  return new Failed()
}
