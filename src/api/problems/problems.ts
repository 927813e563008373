import type { FastifyReply } from 'fastify'
import { bearerChallenge } from './bearer-challenge.ts'

/** An error response of the REST API. A string body is sent as plain text. */
export class Problem extends Error {
  status: number
  body: Record<string, unknown> | string
  headers: Record<string, string> = {}

  constructor(status: number, body: Record<string, unknown> | string, headers: Record<string, string> = {}) {
    super(typeof body === 'string' ? body : JSON.stringify(body))
    this.status = status
    this.body = body
    this.headers = headers
  }

  /** One line for logs and pages. */
  summary() {
    if (typeof this.body === 'string') return this.body
    const { message, error } = this.body

    if (message && typeof message === 'object') return String(error ?? describeReasons(message as Reasons))

    return String(message ?? error)
  }
}

export class BadRequest extends Problem {
  constructor(reason?: string) {
    super(400, messageBody('400 Bad request', reason))
  }
}

/** A missing or malformed parameter. Some clients read `error`, others `message`. */
export class BadParameter extends Problem {
  constructor(sentence: string) {
    super(400, { error: sentence, message: sentence })
  }
}

/** At least one of these parameters is required. */
export class MissingParameters extends BadParameter {
  constructor(...names: string[]) {
    super(`${names.join(', ')} are missing, at least one parameter must be provided`)
  }
}

export class MutuallyExclusive extends BadParameter {
  constructor(...names: string[]) {
    super(`${names.join(', ')} are mutually exclusive`)
  }
}

/** Reasons by attribute, nested like the attributes. */
export interface Reasons {
  [attribute: string]: string[] | Reasons
}

/** Invalid attributes, each with its reasons. */
export class ValidationFailed extends Problem {
  constructor(reasons: Reasons) {
    super(400, { message: reasons })
  }
}

export class Unauthorized extends Problem {
  constructor(reason?: string) {
    super(401, messageBody('401 Unauthorized', reason))
  }
}

/** RFC 6750 §3.1: a known token that is no longer valid. */
export class InvalidToken extends Problem {
  constructor(description: string) {
    super(401, { error: 'invalid_token', error_description: description })
    this.headers['www-authenticate'] = bearerChallenge({ error: 'invalid_token', error_description: description })
  }
}

export class Forbidden extends Problem {
  constructor(reason?: string) {
    super(403, messageBody('403 Forbidden', reason))
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

export class UnknownRoute extends Problem {
  constructor() {
    super(404, { error: '404 Not Found' })
  }
}

/** The path exists with other methods. */
export class WrongMethod extends Problem {
  constructor(allowed: string[]) {
    super(405, { error: '405 Not Allowed' }, { allow: allowed.join(', ') })
  }
}

export class Conflict extends Problem {
  constructor(reason?: string) {
    super(409, messageBody('409 Conflict', reason))
  }
}

export class Gone extends Problem {
  constructor(reason?: string) {
    super(410, messageBody('410 Gone', reason))
  }
}

export class PreconditionFailed extends Problem {
  constructor() {
    super(412, messageBody('412 Precondition Failed'))
  }
}

export class TooLarge extends Problem {
  constructor(reason?: string) {
    super(413, messageBody('413 Request Entity Too Large', reason))
  }
}

export class AddressTooLong extends Problem {
  constructor() {
    super(414, { error: '414 URI Too Long' })
  }
}

export class WrongContentType extends Problem {
  constructor(type: string) {
    super(415, { error: `The provided content-type '${type}' is not supported.` })
  }
}

export class Unprocessable extends Problem {
  constructor(reason?: string) {
    super(422, messageBody('422 Unprocessable Entity', reason))
  }
}

export class TooManyRequests extends Problem {
  constructor(seconds = 60) {
    super(429, messageBody('429 Too Many Requests'), { 'retry-after': String(seconds) })
  }
}

export class InternalError extends Problem {
  constructor() {
    super(500, messageBody('500 Internal Server Error'))
  }
}

/** Nothing was done. The client may retry after the given seconds. */
export function serviceUnavailable(seconds: number) {
  return new Problem(503, messageBody('503 Service Unavailable'), { 'retry-after': String(seconds) })
}

export function sendProblem(reply: FastifyReply, { status, body, headers }: Problem) {
  const isText = typeof body === 'string'

  return reply
    .code(status)
    .headers(headers)
    .type(isText ? 'text/plain; charset=utf-8' : 'application/json')
    .send(isText ? body : JSON.stringify(body))
}

function describeReasons(reasons: Reasons): string {
  return Object.entries(reasons)
    .map(([name, given]) => `${name} ${Array.isArray(given) ? given.join(', ') : describeReasons(given)}`)
    .join(', ')
}

function messageBody(line: string, reason?: string) {
  return { message: reason ? `${line} - ${reason}` : line }
}
