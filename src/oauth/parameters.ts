import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import Type from 'typebox'
import { parseUrlEncoded, validateText } from '#api/parameters/text.ts'
import { WrongContentType } from '#api/problems/problems.ts'
import { InvalidRequest } from './errors.ts'

/** Parameters of an OAuth request. Unknown ones are ignored (RFC 6749 §3.2). */
export type Parameters = Readonly<Record<string, string | undefined>>

const maxLength = 4096

export function OptionalParameters<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map(name => [name, Type.Optional(Type.String())])) as Record<Name, Type.TOptional<Type.TString>>
}

/** RFC 6749 §2.3.1. */
export const ClientParameters = OptionalParameters('client_id', 'client_secret')

/** How the OpenAPI document describes the endpoints that clients authenticate at. */
export const clientEndpoint: FastifySchema = {
  tags: ['OAuth'],
  security: [{ client: [] }, {}],
  consumes: ['application/x-www-form-urlencoded']
}

/** Bodies are forms (RFC 6749 §4.1.3). JSON is accepted, too: it is the default of many HTTP clients. */
export function parseOAuthBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    toParameters(parseUrlEncoded(body))
  )
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) => parseJson(body))
  app.addContentTypeParser('*', { parseAs: 'string' }, async ({ headers }: FastifyRequest, body: string) => {
    if (body !== '') throw new WrongContentType(headers['content-type'] ?? '')

    return {}
  })
  app.addHook('preValidation', async request => {
    if (request.method === 'POST') request.body ??= {}
  })
}

/** RFC 6749 §3.1: a parameter without a value counts as omitted, and none may be repeated. */
export function toParameters(pairs: [string, string][]): Parameters {
  const parameters: Record<string, string> = Object.create(null)

  for (const [name, value] of pairs) {
    if (name in parameters) throw new InvalidRequest('A parameter is repeated.')
    if (value.length > maxLength) throw new InvalidRequest('A parameter is too long.')
    parameters[name] = value
  }
  validateText(parameters)

  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''))
}

/** A query, and the names that it repeats: the authorization endpoint tells most of its errors to the client. */
export function parseQuery(query: string) {
  const pairs = parseUrlEncoded(query)
  const counts = Map.groupBy(pairs, ([name]) => name)
  const repeated = new Set([...counts].flatMap(([name, { length }]) => (length > 1 ? [name] : [])))

  return { params: toParameters([...new Map(pairs)]), repeated }
}

function parseJson(body: string) {
  const pairs = Object.entries(readObject(body))

  if (!pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string')) {
    throw new InvalidRequest('Parameters must be strings.')
  }

  return toParameters(pairs)
}

function readObject(body: string): object {
  try {
    return Object(JSON.parse(body || '{}'))
  } catch {
    throw new InvalidRequest('The body is not valid JSON.')
  }
}
