import type { FastifySchema, RouteOptions } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Config } from '../config.ts'
import type { AnswerStatus } from './answers.ts'
import { stageOf } from './deprecations.ts'
import { deprecations } from './schedule.ts'

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

export type Operation = OpenAPIV3_1.OperationObject<{ 'x-answers'?: AnswerStatus[]; 'x-scopes': string[]; 'x-role': LeastRole }>

/** The parts of the API, in the order in which they are shown; the first that fits a path is its own. */
export const groups = [
  { name: 'Error tracking', about: 'What broke in your programs, and the keys they report it with.', fits: /\/error_?tracking/ },
  { name: 'Alerts', about: 'Integrations, alerts and incidents.', fits: /\/(alert|incident)|\/issues\b/ },
  { name: 'Notifications', about: 'Which e-mails somebody gets.', fits: /\/notification_settings/ },
  { name: 'Audit', about: 'Who changed what.', fits: /\/audit_events/ },
  { name: 'Events', about: 'What people did.', fits: /\/events$/ },
  { name: 'Storage', about: 'Moving repositories between storages.', fits: /_storage/ },
  { name: 'CI', about: 'Runners, pipelines and their tokens.', fits: /\/(runners|pipelines?|jobs?|ci|job_token_scope)\b/ },
  { name: 'Tokens', about: 'Credentials for programs.', fits: /tokens?\b/ },
  { name: 'Applications', about: 'Programs that people sign in to with Tocsin.', fits: /\/applications/ },
  { name: 'Members', about: 'Who takes part in a project or a group, and as what.', fits: /\/(members|invitations|access_requests)\b/ },
  { name: 'Groups', about: 'Groups of projects, and name spaces.', fits: /\/v4\/(groups|namespaces)\b/ },
  { name: 'Projects', about: 'What everything else belongs to.', fits: /\/v4\/projects\b/ },
  { name: 'Users', about: 'People and their accounts.', fits: /\/v4\/users?\b/ },
  { name: 'Service', about: 'What this installation is, and what it speaks.', fits: /./ }
]

/** What the documentation says of a route, from what the route says of itself. */
export function describeOperation(schema: FastifySchema = {}, url: string, route: RouteOptions, config: Config): FastifySchema {
  const method = String(route.method)
  const { role, scopes = defaultScopes(method), deprecation } = route.config ?? {}
  const { params, querystring, response } = schema as Record<'params' | 'querystring', Parameters | undefined> & {
    response?: Record<string, object>
  }

  return {
    ...schema,
    operationId: operationId(method, url),
    tags: schema.tags ?? [groups.find(({ fits }) => fits.test(url))!.name],
    ...(params && { params: explain(params, name => meaningInPath(name, url)) }),
    ...(querystring && { querystring: explain(querystring, name => meaningsInQuery[name]) }),
    response: Object.fromEntries(
      Object.entries(response ?? {}).map(([status, shape]) => [status, { description: successes[status], ...shape }])
    ),
    security: [...(role === 'anyone' ? [{}] : []), ...['token', 'tokenInQuery', 'bearer', 'session'].map(name => ({ [name]: [] }))],
    deprecated: deprecation && deprecations[deprecation].kind === 'operation' && stageOf(config, deprecation) !== 'current',
    'x-scopes': scopes,
    'x-role': role,
    'x-deprecation': deprecation,
    'x-answers': answersOf(schema, url, route, config)
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

function answersOf({ querystring, body, params }: FastifySchema, url: string, { config = {} }: RouteOptions, version: Config) {
  const { properties = {} } = (querystring ?? {}) as Partial<Parameters>
  const isGone =
    config.deprecation && deprecations[config.deprecation].kind === 'operation' && stageOf(version, config.deprecation) === 'removed'
  const statuses: (AnswerStatus | false | undefined | '' | unknown)[] = [
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

interface Parameters {
  type: 'object'
  properties: Record<string, { description?: string }>
}

function explain(parameters: Parameters, meaning: (name: string) => string | undefined) {
  const properties = Object.entries(parameters.properties ?? {}).map(([name, shape]) => [name, { description: meaning(name), ...shape }])

  return { ...parameters, properties: Object.fromEntries(properties) }
}

function meaningInPath(name: string, url: string) {
  const segments = url.split('/')
  const owner = (segments[segments.indexOf(`:${name}`) - 1] ?? '').replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', ' ')

  if (name === 'id' && /^(project|group)$/.test(owner)) return `The ${owner}, by its id or its encoded path.`

  return /^(id|\w+_id)$/.test(name) ? `The id of the ${owner}.` : `The ${name.replaceAll('_', ' ')} of the ${owner}.`
}

const meaningsInQuery: Record<string, string | undefined> = {
  cursor: 'Where the previous page ended; taken from its `Link`.',
  limit: 'The same as `per_page`.',
  page: 'The page, from 1.',
  per_page: 'Rows on a page; at most 100.',
  order_by: 'What the rows are ordered by.',
  sort: 'Which way they are ordered.',
  search: 'Only those whose names contain this.'
}
