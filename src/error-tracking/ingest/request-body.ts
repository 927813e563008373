import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Fastify answers 415 to a malformed Content-Type. The body is detected by its content anyway. */
export function ignoreInvalidContentType(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const type = headers['content-type']

    if (type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/.test(type)) delete headers['content-type']
    done()
  })
}

export function isEnvelope({ headers }: FastifyRequest) {
  return headers['content-type']?.startsWith('application/x-sentry-envelope')
}

export function bodyOf({ body }: { body?: Buffer }) {
  return body ?? Buffer.alloc(0)
}

export function encodingOf({ headers }: FastifyRequest) {
  return headers['content-encoding'] ?? ''
}
