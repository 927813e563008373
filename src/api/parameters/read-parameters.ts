import type { FastifyInstance, FastifyRequest } from 'fastify'
import { InvalidInput } from '#lib/refusals.ts'
import { AddressTooLong, WrongContentType } from '../problems/problems.ts'
import { credentialParameters } from '../request-url.ts'
import { jsonParser } from './json-body.ts'
import { readMultipart, registerMultipart } from './multipart.ts'
import { parseNested } from './nested-names.ts'
import { parseUrlEncoded, validateText } from './text.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a message of another protocol, which the route validates: no parameters are merged into it. */
    hasMessage?: true
  }
}

const maxQueryLength = 8192

/**
 * Clients may send parameters in the query string or in the body (JSON, form or multipart). Both are merged into the
 * body, except on GET. An empty body counts as an empty object, whatever its content type, and so does JSON's null:
 * Go clients send it.
 */
export async function readParameters(app: FastifyInstance) {
  await registerMultipart(app)
  addBodyParsers(app)

  app.addHook('onRequest', async request => {
    const { headers } = request.raw

    // An empty one is none: Fastify would refuse it.
    if (headers['content-type']?.trim() === '') delete headers['content-type']
    request.query = readQuery(request.url)
  })
  app.addHook('preValidation', async request => {
    validateText(request.params)
    if (request.method === 'GET' || request.method === 'HEAD' || request.routeOptions.config.hasMessage) return
    const body = request.isMultipart() ? await readMultipart(request) : request.body

    validateText(body)
    if (Array.isArray(body) && acceptsList(request.routeOptions.schema?.body)) return
    request.body = { ...queryParameters(request), ...asObject(body) }
  })
}

function addBodyParsers(app: FastifyInstance) {
  const parseJson = jsonParser(app)

  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parseNested(parseUrlEncoded(body))
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body: string, done) => {
    const type = request.headers['content-type']

    if (body.trim() === '') return done(null, {})
    if (type && !/[/+]json\b/i.test(type)) return done(new WrongContentType(type))

    return parseJson(request, body, (error, value) => done(error, value ?? {}))
  })
}

function readQuery(url: string) {
  const at = url.indexOf('?')

  if (at < 0) return {}
  if (url.length - at - 1 > maxQueryLength) throw new AddressTooLong()
  const query = parseNested(parseUrlEncoded(url.slice(at + 1)))

  validateText(query)

  return query
}

function queryParameters({ query }: FastifyRequest) {
  return Object.fromEntries(Object.entries(query as object).filter(([name]) => !credentialParameters.has(name) && name !== 'sudo'))
}

function asObject(body: unknown) {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new InvalidInput('The body must be an object')
  }

  return body
}

function acceptsList(schema: unknown): boolean {
  const { type, anyOf } = (schema ?? {}) as { type?: string; anyOf?: unknown[] }

  return type === 'array' || (anyOf ?? []).some(acceptsList)
}
