import type { FastifySchema, RouteOptions } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { stageOf, type Version } from '../deprecations/deprecations.ts'
import { type DeprecationName, deprecations } from '../deprecations/schedule.ts'
import { explainPath, explainQuery, type Parameters } from '../parameters/documented-parameters.ts'
import { parts } from '../parameters/parts.ts'
import type { AnswerStatus } from './shared-responses.ts'

/** The least somebody has to be: in the project or group of the path where there is one. */
export type LeastRole = 'anyone' | 'user' | 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner' | 'admin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the documentation: the guard and the scoped query are what enforces it. */
    role?: LeastRole
    /** Statuses that the route answers beside those that follow from its guard and its parameters. */
    alsoAnswers?: AnswerStatus[]
  }
}

export type Operation = OpenAPIV3_1.OperationObject<{
  'x-answers'?: AnswerStatus[]
  'x-deprecation'?: DeprecationName
  'x-scopes': string[]
  'x-role': LeastRole
}>

/** What the documentation says of a route, from what the route says of itself. */
export function describeOperation(schema: FastifySchema = {}, url: string, route: RouteOptions, version: Version): FastifySchema {
  const method = String(route.method)
  const { role, scopes = defaultScopes(method), deprecation } = route.config ?? {}
  const { params, querystring, response } = schema as Record<'params' | 'querystring', Parameters | undefined> & {
    response?: Record<string, object>
  }

  return {
    ...schema,
    operationId: operationId(method, url),
    tags: schema.tags ?? [parts.find(({ fits }) => fits.test(url))!.name],
    ...(params && { params: explainPath(params, url) }),
    ...(querystring && { querystring: explainQuery(querystring) }),
    response: Object.fromEntries(
      Object.entries(response ?? {}).map(([status, shape]) => [status, { 'x-response-description': successes[status], ...shape }])
    ),
    security: [...(role === 'anyone' ? [{}] : []), ...['token', 'tokenInQuery', 'bearer', 'session'].map(name => ({ [name]: [] }))],
    deprecated: deprecation && deprecations[deprecation].kind === 'operation' && stageOf(version, deprecation) !== 'current',
    'x-scopes': scopes,
    'x-role': role,
    'x-deprecation': deprecation,
    'x-answers': answersOf(schema, url, route, version)
  } as FastifySchema
}

const successes: Record<string, string> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Accepted; it will be done.',
  204: 'Done; there is nothing to say.'
}

/** A name for programs that are generated from the document; it changes only with the path. */
function operationId(method: string, url: string) {
  const words = url
    .replace('/api/v4/', '')
    .replaceAll(':', 'by_')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)

  return method.toLowerCase() + words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function defaultScopes(method: string) {
  return method === 'GET' ? ['api', 'read_api'] : ['api']
}

function answersOf({ querystring, body, params }: FastifySchema, url: string, { config = {} }: RouteOptions, version: Version) {
  const { properties = {} } = (querystring ?? {}) as Partial<Parameters>
  const isGone =
    config.deprecation && deprecations[config.deprecation].kind === 'operation' && stageOf(version, config.deprecation) === 'removed'
  const statuses: unknown[] = [
    (querystring || body || params) && 400,
    401,
    403,
    url.includes(':') && 404,
    'pagination' in properties && 405,
    isGone && 410,
    body && 413,
    429,
    503,
    ...(config.alsoAnswers ?? [])
  ]

  return [...new Set(statuses.filter(status => typeof status === 'number'))].toSorted()
}
