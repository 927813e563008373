import type { FastifyRequest } from 'fastify'
import { linkTo } from './pagination.ts'
import { Problem } from './problems.ts'

/** What was asked for by an old path lives on under another one: reading is sent there, anything else is refused. */
export class Moved extends Problem {
  constructor(request: FastifyRequest, { from, to }: { from: string; to: number }) {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      super(405, { message: '405 Method Not Allowed' })
      this.headers.allow = 'GET, HEAD'
      return
    }
    const address = new URL(linkTo(request, {}))

    address.pathname = address.pathname
      .split('/')
      .map(part => (decodeURIComponent(part) === from ? to : part))
      .join('/')
    super(301, { message: `This resource has been moved permanently to ${address.href}` })
    this.headers.location = `${address.pathname}${address.search}`
  }
}
