import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Test } from 'tap'
import type { ApiDocument } from '#api/openapi/openapi.ts'
import type { LeastRole, Operation } from '#api/openapi/operation.ts'
import { examples } from './access-examples.ts'
import { levels, openTown, type Person, type Town } from './town.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  format?: string
  pattern?: string
  minItems?: number
  minimum?: number
}

type Parameter = Omit<OpenAPIV3_1.ParameterObject, 'schema'> & { schema: Schema }

/** What a route says of its access, which its guard and its query must enforce. */
interface Statement {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  role: LeastRole
  /** In a private project, as that of the town is. */
  privateRole?: LeastRole | undefined
  scopes: string[]
  allowsJobToken: boolean
  body?: Schema | undefined
  query: Parameter[]
  /** Of the responses that the document lists. */
  statuses?: string[]
}

/** Of the dashboards, which are no part of the REST API. */
const dashboards: Statement[] = ['/admin/processes', '/admin/queues/board/api/queues'].map(path => ({
  method: 'GET',
  path,
  role: 'admin',
  scopes: ['api', 'read_api'],
  allowsJobToken: false,
  query: []
}))

/** Every route of the REST API, as its OpenAPI document describes it. */
export async function statementsOf(app: FastifyInstance): Promise<Statement[]> {
  const { paths = {} }: ApiDocument = (await app.inject('/api/v4/openapi.json')).json()

  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v4/'))
    .flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).map(([method, operation]) => toStatement(path, method, operation))
    )
}

function toStatement(path: string, method: string, operation: Operation): Statement {
  const { requestBody, parameters = [], security = [], responses = {} } = operation
  const { content = {} } = (requestBody ?? {}) as Partial<OpenAPIV3_1.RequestBodyObject>

  return {
    method: method.toUpperCase() as Statement['method'],
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    role: operation['x-role'],
    privateRole: operation['x-private-role'],
    scopes: operation['x-scopes'],
    allowsJobToken: security.some(scheme => 'jobToken' in scheme),
    body: Object.values(content)[0]?.schema as Schema | undefined,
    query: (parameters as Parameter[]).filter(parameter => parameter.in === 'query' && parameter.required),
    statuses: Object.keys(responses)
  }
}

/**
 * Calls every route as some people each. Those whom its statement admits are all answered the same, the others as it says. Returns a line
 * for each route: its statement, and how those are answered.
 */
export async function walkRoutes(t: Test, peopleOf: (row: number) => Person[]) {
  const town = await openTown(t)
  const calls = [...(await statementsOf(town.app)), ...dashboards].map(statement => ({
    statement,
    example: examples[nameOf(statement)] ?? {}
  }))
  const [last, others] = [calls.filter(({ example }) => example.isLast), calls.filter(({ example }) => !example.isLast)]
  const lines: string[] = []

  for (const [row, { statement, example }] of [...others, ...last].entries()) {
    const name = nameOf(statement)
    const url = addressOf(statement, town) + (example.query ?? queryOf(statement))
    const payload = example.body ?? bodyOf(statement)
    const answered: Partial<Record<Person, number>> = {}

    for (const person of new Set([...peopleOf(row), 'admin' as const])) {
      answered[person] = (await town.app.inject({ method: statement.method, url, payload, headers: town.credentials[person] })).statusCode
    }
    const ok = answered.admin!
    const expected = Object.keys(answered).map(person => [
      person,
      example.answers?.[person as Person] ?? answerTo(person as Person, statement, ok)
    ])

    t.same(answered, Object.fromEntries(expected), name)
    t.ok(ok < 500, `${name} answers ${ok}`)
    t.same(
      Object.values(answered).filter(status => statement.statuses && !statement.statuses.includes(String(status))),
      [],
      `${name}: the OpenAPI document lists every status`
    )
    lines.push([name, describeRole(statement), statement.scopes.join(' '), ok].join(' | '))
  }

  return lines.sort()
}

export function nameOf({ method, path }: Statement) {
  return `${method} ${path}`
}

function describeRole({ role, privateRole, allowsJobToken }: Statement) {
  return [role, privateRole && `${privateRole} in private`, allowsJobToken && 'job token'].filter(Boolean).join(', ')
}

const roles = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 }
const unknown = ['expired', 'revoked', 'made-up', 'deploy']
const scopeOf: Partial<Record<Person, string>> = { wrongScope: 'read_user', readOnly: 'read_api' }
const levelOf: Partial<Record<Person, number>> = { ...levels, sudo: roles.guest, impersonation: roles.maintainer, oauth: roles.maintainer }

/** What a caller is answered, if those who have access are answered `ok`. */
function answerTo(person: Person, { role, privateRole = role, scopes, allowsJobToken, path }: Statement, ok: number) {
  const isInside = /^\/api\/v4\/(projects|groups)\/:id/.test(path)

  if (role === 'runner') return ok
  if (unknown.includes(person)) return 401
  if (person === 'blocked') return 403
  if (person === 'job') return allowsJobToken ? ok : 401
  if (person === 'anonymous') return role !== 'anyone' ? 401 : isInside ? 404 : ok
  if (scopes.length > 0 && !scopes.includes(scopeOf[person] ?? 'api')) return 403
  if (person === 'admin') return ok
  if (role === 'admin') return 403
  if (!isInside) return ok
  if (person === 'stranger') return 404

  return levelOf[person]! >= (roles[privateRole as keyof typeof roles] ?? 0) ? ok : 403
}

/** The town's project, group or user; nothing else exists. */
function addressOf({ path }: Statement, { projectId, groupId, userId }: Town) {
  return path
    .replace(/^\/api\/v4\/projects\/:id/, `/api/v4/projects/${projectId}`)
    .replace(/^\/api\/v4\/groups\/:id/, `/api/v4/groups/${groupId}`)
    .replace(/\/users\/:(user_)?id/, `/users/${userId}`)
    .replace(':event_id', 'latest')
    .replace(/:\w+/g, '0')
}

function namesOthers({ path }: Statement) {
  return path.replace(/\/(projects|groups|users)\/:(user_)?id/, '').includes(':')
}

/** What names something that does not exist can do no harm, whatever its body. Others get an empty one, unless they have an example. */
function bodyOf(statement: Statement) {
  return statement.body && ((namesOthers(statement) ? leastOf({ type: 'object', ...statement.body }) : {}) as object | undefined)
}

function queryOf({ query }: Statement) {
  return query.length > 0 ? `?${query.map(({ name, schema }) => `${name}=${leastOf(schema)}`).join('&')}` : ''
}

/** The least value: of an object with its required members, or with the first. */
function leastOf({
  type,
  enum: values,
  anyOf,
  items,
  properties = {},
  required,
  format,
  pattern,
  minItems = 0,
  minimum = 0
}: Schema): unknown {
  if (values) return values[0]
  if (anyOf) return leastOf(anyOf[0]!)
  switch ([type].flat()[0]) {
    case 'object':
      return Object.fromEntries((required ?? Object.keys(properties).slice(0, 1)).map(name => [name, leastOf(properties[name] ?? {})]))
    case 'array':
      return minItems > 0 ? [leastOf(items ?? {})] : []
    case 'integer':
    case 'number':
      return minimum
    case 'boolean':
      return false
    default:
      return pattern?.includes('40') ? '0'.repeat(40) : format?.startsWith('date') ? '2030-01-01' : '1h'
  }
}
