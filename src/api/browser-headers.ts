import type { FastifyInstance } from 'fastify'

/** For content that users wrote: browsers do not run it as a page or a script of ours. */
export const inertPolicy = "default-src 'none'; sandbox"

/** On every response: browsers take its content type as it is and, where users reach us over HTTPS, use nothing else (RFC 6797). */
export function protectBrowsers(app: FastifyInstance) {
  const { config } = app.platform

  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    if (config.isSecure) reply.header('strict-transport-security', 'max-age=31536000')
    done()
  })
}
