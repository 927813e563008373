import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { redirect } from '#api/redirect.ts'
import { icon, scripts, stylesheet } from './assets.ts'
import { securityHeaders } from './page.ts'

/** The stylesheet, scripts and icon, and security headers on every page. */
export const layout = fp(async (app: FastifyInstance) => {
  app.addHook('onSend', async (_request, reply) => {
    if (reply.hasHeader('content-security-policy')) return
    if (String(reply.getHeader('content-type')).startsWith('text/html')) reply.headers(securityHeaders(reply))
  })

  for (const { path, type, text } of [stylesheet, icon, ...scripts]) {
    app.get(path, { config: { isQuiet: true } }, async (_request, reply) =>
      reply.type(type).headers({ 'cache-control': 'public, max-age=31536000, immutable' }).send(text)
    )
  }

  // Browsers ask for it on pages that name no icon, such as JSON and downloads.
  app.get('/favicon.ico', { config: { isQuiet: true } }, async (_request, reply) => redirect(reply, icon.path, 302))
})
