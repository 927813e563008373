import type { FastifyInstance } from 'fastify'
import fastifyHtml from 'fastify-html'
import fp from 'fastify-plugin'
import { trusted } from './html.ts'
import { frame, protections } from './page.ts'
import { stylesheet, stylesheetPath } from './stylesheet.ts'

/** What all pages need around them. `reply.html` stands in the same frame as `page`. */
export const layout = fp(async (app: FastifyInstance) => {
  await app.register(fastifyHtml)
  app.addLayout((inner, reply) => {
    const { title = 'Welcome', isWide = false } = reply as { title?: string; isWide?: boolean }

    return frame(reply, { title, width: isWide ? 'wide' : 'narrow' }, trusted(inner)).toString()
  })

  app.addHook('onSend', async (_request, reply) => {
    if (String(reply.getHeader('content-type')).startsWith('text/html')) reply.headers(protections(reply))
  })

  app.get(stylesheetPath, { config: { isQuiet: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=31536000, immutable').send(stylesheet)
  )
})
