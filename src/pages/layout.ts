import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fastifyHtml from 'fastify-html'
import fp from 'fastify-plugin'

export const stylesheet = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8')

const bell = `<svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true"><path fill="currentColor" d="M12 2a1.6 1.6 0 0 1 1.6 1.6v.6A6.6 6.6 0 0 1 18.600 10.600c0 4.200 1 5.700 1.900 6.500.5.5.2 1.400-.5 1.400H4c-.7 0-1-.9-.5-1.400.9-.8 1.900-2.300 1.900-6.500a6.600 6.600 0 0 1 5-6.400v-.6A1.600 1.600 0 0 1 12 2Zm-2.500 18h5a2.500 2.500 0 0 1-5 0Z"/></svg>`

/** The frame of every page: one stylesheet, no script, nothing from elsewhere. */
export const layout = fp(async (app: FastifyInstance) => {
  await app.register(fastifyHtml)

  app.addLayout((inner: string, reply: FastifyReply) => {
    const { title = 'Tocsin', isWide = false } = reply as { title?: string; isWide?: boolean }

    return app.html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <link rel="stylesheet" href="/-/style.css">
</head>
<body>
  <main class="${isWide ? 'wide' : ''}">
    <p class="brand">!${bell} <span>Tocsin</span></p>
    !${inner}
    <footer><a href="/help/api">REST API</a></footer>
  </main>
</body>
</html>`
  })

  app.addHook('onSend', async (_request, reply) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'same-origin')
    reply.header('cache-control', 'no-store')
  })

  app.get('/-/style.css', { config: { isQuiet: true } }, async (_request, reply) =>
    reply.type('text/css').header('cache-control', 'max-age=3600').send(stylesheet)
  )
})
