import type { FastifySchema, RouteOptions } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { type DeprecationName, deprecations } from '#lib/deprecations/schedule.ts'
import { stageOf, type Version } from '#lib/deprecations/stages.ts'
import { describePathParameters, describeQueryParameters, type Parameters } from '../parameters/documented-parameters.ts'
import { describeInput } from './describe-input.ts'
import { describeRequestBody } from './describe-request-body.ts'
import { describeResponse } from './describe-response.ts'
import type { SharedStatus } from './shared-responses.ts'
import { tags } from './tags.ts'

/** The minimum role: in the project or group of the path, if there is one. Who does not see that, or its resource, is answered 404. */
export type LeastRole = 'anyone' | 'user' | 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner' | 'admin' | 'runner'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the documentation and the access test; the guard and the scoped query enforce it. */
    role?: LeastRole
    /** In private projects, whose guests do not see the code. */
    privateRole?: LeastRole
    /** Statuses besides those that follow from the route's guard and parameters. */
    additionalStatuses?: SharedStatus[]
  }
}

export type Operation = OpenAPIV3_1.OperationObject<{
  'x-statuses'?: SharedStatus[]
  'x-deprecation'?: DeprecationName
  'x-scopes': string[]
  'x-role': LeastRole
  'x-private-role'?: LeastRole
}>

/** The OpenAPI operation of a route. */
export function describeOperation(schema: FastifySchema = {}, url: string, route: RouteOptions, version: Version): FastifySchema {
  const method = String(route.method)
  const { role, privateRole, allowsJobToken, deprecation, scopes = role === 'runner' ? [] : defaultScopes(method) } = route.config ?? {}
  const { params, querystring, body, response } = schema as Record<'params' | 'querystring', Parameters | undefined> & {
    body?: Record<string, unknown>
    response?: Record<string, Record<string, unknown>>
  }

  return {
    ...schema,
    operationId: operationId(method, url),
    tags: schema.tags ?? [tags.find(({ pattern }) => pattern.test(url))!.name],
    ...(params && { params: describeInput(describePathParameters(params, url)) }),
    ...(querystring && { querystring: describeInput(describeQueryParameters(querystring)) }),
    ...(body && { body: describeRequestBody(body, { consumes: schema.consumes, files: route.config?.files }) }),
    response: Object.fromEntries(
      Object.entries(response ?? {}).map(([status, shape]) => [
        status,
        { 'x-response-description': successDescriptions.get(status), ...describeResponse(shape) }
      ])
    ),
    security: schema.security ?? [
      ...(role === 'anyone' || role === 'runner' ? [{}] : []),
      ...(role === 'runner' ? [] : ['token', 'tokenInQuery', 'bearer', 'session', ...(allowsJobToken ? ['jobToken'] : [])]).map(name => ({
        [name]: []
      }))
    ],
    deprecated:
      schema.deprecated || (deprecation && deprecations[deprecation].kind === 'operation' && stageOf(version, deprecation) !== 'current'),
    'x-scopes': scopes,
    'x-role': role,
    'x-private-role': privateRole,
    'x-deprecation': deprecation,
    'x-statuses': statusesOf(schema, url, route, version)
  } as FastifySchema
}

const successDescriptions = new Map(
  Object.entries({
    200: 'Success.',
    201: 'Created.',
    202: 'Accepted for processing.',
    204: 'Success, without content.'
  })
)

/** Used by generated clients; it changes only with the path. */
function operationId(method: string, url: string) {
  const segments = url
    .replace('/api/v4/', '')
    .replaceAll('/-/', '/dash/')
    .replaceAll(':', 'by_')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)

  return method.toLowerCase() + segments.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function defaultScopes(method: string) {
  return method === 'GET' ? ['api', 'read_api'] : ['api']
}

function statusesOf({ querystring }: FastifySchema, url: string, { config = {}, method }: RouteOptions, version: Version) {
  const { properties = {} } = (querystring ?? {}) as Partial<Parameters>
  const isRemoved =
    config.deprecation && deprecations[config.deprecation].kind === 'operation' && stageOf(version, config.deprecation) === 'removed'
  const isReading = method === 'GET'
  const hasPath = /\/(projects|groups)\/:id(\/|$)/.test(url)
  const statuses: unknown[] = [
    // The former path of a moved project or group.
    isReading && hasPath && 301,
    isReading && 304,
    400,
    401,
    403,
    url.includes(':') && 404,
    (['pagination', 'cursor', 'page'].some(name => name in properties) || (!isReading && hasPath)) && 405,
    408,
    isRemoved && 410,
    /^(PUT|PATCH|DELETE)$/.test(String(method)) && 412,
    !isReading && 413,
    414,
    !isReading && 415,
    429,
    431,
    500,
    503,
    ...(config.additionalStatuses ?? [])
  ]

  return [...new Set(statuses.filter(status => typeof status === 'number'))].toSorted()
}
