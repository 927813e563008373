import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { securityHeaders } from './page.ts'
import { stylesheet, stylesheetPath } from './stylesheet.ts'

/** The stylesheet, and security headers on every page. */
export const layout = fp(async (app: FastifyInstance) => {
  app.addHook('onSend', async (_request, reply) => {
    if (String(reply.getHeader('content-type')).startsWith('text/html')) reply.headers(securityHeaders(reply))
  })

  app.get(stylesheetPath, { config: { isQuiet: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=31536000, immutable').send(stylesheet)
  )
})
