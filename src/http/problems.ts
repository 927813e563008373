import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAway, QueueFull } from '../platform/problems.ts'

/** What the REST API answers instead of a resource. `body` is what clients read. */
export class Problem extends Error {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string> = {}

  constructor(status: number, body: Record<string, unknown>) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
  }
}

export class BadRequest extends Problem {
  constructor(reason?: string) {
    super(400, { message: reason ? `400 Bad request - ${reason}` : '400 Bad request' })
  }
}

/** A parameter that is missing or has the wrong shape: said by its name. */
export class BadParameter extends Problem {
  constructor(sentence: string) {
    super(400, { error: sentence })
  }
}

/** Attributes that do not fit together with what is there: each with its reasons. */
export class ValidationFailed extends Problem {
  constructor(reasons: Record<string, string[]>) {
    super(400, { message: reasons })
  }
}

export class Unauthorized extends Problem {
  constructor() {
    super(401, { message: '401 Unauthorized' })
  }
}

export class Forbidden extends Problem {
  constructor(reason?: string) {
    super(403, { message: reason ? `403 Forbidden - ${reason}` : '403 Forbidden' })
  }
}

export class InsufficientScope extends Problem {
  constructor(scopes: string[]) {
    super(403, {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: scopes.join(' ')
    })
  }
}

export class NotFound extends Problem {
  constructor(resource?: string) {
    super(404, { message: resource ? `404 ${resource} Not Found` : '404 Not Found' })
  }
}

export class Conflict extends Problem {
  constructor() {
    super(409, { message: '409 Conflict' })
  }
}

/** Answers those who are better told in another form than the REST API's, and leaves the others. */
export type TellOtherwise = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply | undefined

/** Answers in the shape of the REST API; nothing of an unforeseen error leaks out. */
export function renderProblems(app: FastifyInstance, tellOtherwise: TellOtherwise = () => undefined) {
  const tell = (request: FastifyRequest, reply: FastifyReply, problem: Problem) =>
    tellOtherwise(request, reply, problem) ?? sendProblem(reply, problem)

  app.setNotFoundHandler((request, reply) => tell(request, reply, new Problem(404, { error: '404 Not Found' })))
  app.setErrorHandler((error, request, reply) => tell(request, reply, toProblem(error as FastifyError, request)))
}

export function sendProblem(reply: FastifyReply, { status, body, headers }: Problem) {
  return reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body))
}

function toProblem(error: FastifyError, request: FastifyRequest) {
  if (error instanceof Problem) return error
  if (error instanceof QueueFull) return later(error.retryAfter)
  if (isAway(error)) return later(5)
  if (error.validation) return new BadParameter(error.validation.map(sentence).join(', '))
  if (error.statusCode === 413) return new Problem(413, { message: '413 Request Entity Too Large' })
  if (error.statusCode && error.statusCode < 500) return new Problem(error.statusCode, { error: error.message })

  request.log.error({ err: error }, 'a request failed')

  return new Problem(500, { message: '500 Internal Server Error' })
}

export function later(seconds: number) {
  const problem = new Problem(503, { message: '503 Service Unavailable' })

  problem.headers['retry-after'] = String(seconds)

  return problem
}

function sentence({ keyword, instancePath, params }: NonNullable<FastifyError['validation']>[number]) {
  const name = instancePath.slice(1).replaceAll('/', '.')

  if (keyword === 'required') return `${[name, params.missingProperty].filter(Boolean).join('.')} is missing`
  if (keyword === 'enum' || keyword === 'const' || keyword === 'anyOf') return `${name} does not have a valid value`

  return `${name || 'body'} is invalid`
}
