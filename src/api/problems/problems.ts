import type { FastifyReply } from 'fastify'
import { describeReasons, type Reasons } from '#lib/refusals.ts'

/** An error response of the REST API: what concerns only HTTP, and what `problemOf` makes of a refusal. A string body is sent as plain text. */
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

export class InternalError extends Problem {
  constructor() {
    super(500, { message: '500 Internal Server Error' })
  }
}

export function sendProblem(reply: FastifyReply, { status, body, headers }: Problem) {
  const isText = typeof body === 'string'

  return reply
    .code(status)
    .headers(headers)
    .type(isText ? 'text/plain; charset=utf-8' : 'application/json')
    .send(isText ? body : JSON.stringify(body))
}
