import type { FastifyInstance } from 'fastify'

/** How a caller may say who it is, in a query; none of the route's business. */
const credentials = new Set(['private_token', 'access_token', 'job_token', 'sudo'])

/**
 * Parameters come in the query or in the body, as the client likes; routes read them from the body.
 * An empty body is an empty object, whatever its content type says.
 */
export function readParameters(app: FastifyInstance) {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, {})
    if (request.headers['content-type'] && !/[/+]json\b/.test(request.headers['content-type'])) return done(null, {})

    try {
      done(null, JSON.parse(body as string))
    } catch {
      done(Object.assign(new Error('The body is not valid JSON'), { statusCode: 400 }))
    }
  })

  app.addHook('preValidation', async request => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { query, body } = request as { query: object; body: unknown }

    if (Array.isArray(body)) return
    const given = Object.entries(query).filter(([name]) => !credentials.has(name))

    request.body = { ...Object.fromEntries(given), ...(body as object | undefined) }
  })
}
