import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The URL of an app that listens on a free port, as it may already for another test. */
export async function listen(app: FastifyInstance) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })

  return `http://127.0.0.1:${portOf(app)}`
}

export function portOf(app: FastifyInstance) {
  return (app.server.address() as AddressInfo).port
}
