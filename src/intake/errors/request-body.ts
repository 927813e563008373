import type { FastifyRequest } from 'fastify'

export function isEnvelope({ headers }: FastifyRequest) {
  return headers['content-type']?.startsWith('application/x-sentry-envelope')
}

export function bodyOf({ body }: { body?: Buffer }) {
  return body ?? Buffer.alloc(0)
}

export function encodingOf({ headers }: FastifyRequest) {
  return headers['content-encoding'] ?? ''
}
