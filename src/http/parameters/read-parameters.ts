import type { FastifyInstance, FastifyRequest } from 'fastify'
import { credentials } from '../guards/own-address.ts'
import { AddressTooLong, BadParameter, WrongContentType } from '../problems/problems.ts'
import { readMultipart, takeMultipart } from './multipart.ts'
import { nest } from './nested-names.ts'
import { checkText, decodeEntries } from './text.ts'

const longestQuery = 8192

/**
 * Parameters come in the query or in the body (JSON, form or multipart), as the client likes; routes read them
 * from the body, except on GET. An empty body is an empty object, whatever its content type says.
 */
export async function readParameters(app: FastifyInstance) {
  await takeMultipart(app)
  readBodies(app)

  app.addHook('onRequest', async request => {
    request.query = readQuery(request.url)
  })
  app.addHook('preValidation', async request => {
    checkText(request.params)
    if (request.method === 'GET' || request.method === 'HEAD') return
    const body = request.isMultipart() ? await readMultipart(request) : request.body

    checkText(body)
    if (Array.isArray(body) && takesList(request.routeOptions.schema?.body)) return
    request.body = { ...fromQuery(request), ...asObject(body) }
  })
}

function readBodies(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser('remove', 'remove')

  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    nest(decodeEntries(body))
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body: string, done) => {
    const type = request.headers['content-type']

    if (body.trim() === '') return done(null, {})
    if (type && !/[/+]json\b/i.test(type)) return done(new WrongContentType(type))

    return parseJson(request, body, (error, value) => done(error && new BadParameter('The body is not valid JSON'), value))
  })
}

function readQuery(url: string) {
  const at = url.indexOf('?')

  if (at < 0) return {}
  if (url.length - at - 1 > longestQuery) throw new AddressTooLong()
  const query = nest(decodeEntries(url.slice(at + 1)))

  checkText(query)

  return query
}

function fromQuery({ query }: FastifyRequest) {
  return Object.fromEntries(Object.entries(query as object).filter(([name]) => !credentials.has(name) && name !== 'sudo'))
}

function asObject(body: unknown) {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new BadParameter('The body must be an object')
  }

  return body
}

function takesList(schema: unknown): boolean {
  const { type, anyOf } = (schema ?? {}) as { type?: string; anyOf?: unknown[] }

  return type === 'array' || (anyOf ?? []).some(takesList)
}
