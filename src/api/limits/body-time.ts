import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route limits the time of its body itself. */
    hasLongBody?: true
  }
}

const maxMs = 60_000

/** Closes connections whose body takes too long to arrive, as Node's `requestTimeout` does, which has no exceptions. */
export function limitBodyTime(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request) && !request.routeOptions.config.hasLongBody) limitTime(app, request)
    done()
  })
}

function limitTime(app: FastifyInstance, { raw }: FastifyRequest) {
  const timer = setTimeout(() => raw.complete || app.server.emit('clientError', new RequestTimedOut(), raw.socket), maxMs)

  // Injected requests never close.
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  timer.unref()
}

function hasBody({ headers }: FastifyRequest) {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

class RequestTimedOut extends Error {
  code = 'ERR_HTTP_REQUEST_TIMEOUT'
}
