import type { FastifyInstance, FastifyRequest } from 'fastify'

const allowedHeaders = [
  'x-sentry-auth',
  'x-requested-with',
  'x-forwarded-for',
  'origin',
  'referer',
  'accept',
  'content-type',
  'authentication',
  'authorization',
  'content-encoding',
  'transfer-encoding',
  'sentry-trace',
  'baggage'
].join(', ')

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
  'cross-origin-resource-policy': 'cross-origin'
}

const preflightHeaders = {
  ...corsHeaders,
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': allowedHeaders,
  'access-control-max-age': '3600'
}

/** Lets web pages send events, unless the check of a preflight throws. Other clients send no Origin and get no CORS headers. */
export function allowCrossOrigin(app: FastifyInstance, paths: string[], onRequest: (request: FastifyRequest) => Promise<void>) {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin || request.headers['sec-fetch-site']) reply.headers(corsHeaders)
    done()
  })

  for (const path of paths)
    app.options(path, { config: { isQuiet: true }, onRequest }, (_request, reply) => reply.headers(preflightHeaders).send(''))
}
