import type { FastifyInstance } from 'fastify'

const allowed = [
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

const forAnyPage = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
  'cross-origin-resource-policy': 'cross-origin'
}

const preflight = {
  ...forAnyPage,
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': allowed,
  'access-control-max-age': '3600'
}

/** Any page may send its errors here. Programs do not ask, and are spared the headers. */
export function allowCrossOrigin(app: FastifyInstance, paths: string[]) {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin || request.headers['sec-fetch-site']) reply.headers(forAnyPage)
    done()
  })

  for (const path of paths) app.options(path, { config: { isQuiet: true } }, (_request, reply) => reply.headers(preflight).send(''))
}
