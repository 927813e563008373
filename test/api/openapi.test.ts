import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import t from 'tap'
import { Check } from 'typebox/value'
import type { Operation } from '#api/openapi/operation.ts'
import { openApp, rootToken } from '../support/world.ts'

type Document = Omit<OpenAPIV3_1.Document, 'paths'> & { paths: Record<string, Record<string, Operation>> }
const methods = ['get', 'post', 'put', 'patch', 'delete']
const roles = ['anyone', 'user', 'guest', 'reporter', 'developer', 'maintainer', 'owner', 'admin', 'runner']

async function read(app: FastifyInstance) {
  const response = await app.inject('/api/v4/openapi.json')

  return response.json() as Document
}

function operations({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, method, path, operation }))
  )
}

t.test('every operation documents its parameters, responses and permissions', async t => {
  const { app } = await openApp(t)
  const all = operations(await read(app))

  t.ok(all.length > 10)
  for (const { name, method, path, operation } of all) {
    const { parameters = [], responses = {}, tags } = operation
    const given = parameters as OpenAPIV3_1.ParameterObject[]
    const inPath = given.filter(parameter => parameter.in === 'path')

    t.ok(operation.summary, `${name} has a summary`)
    t.equal(tags?.length, 1, `${name} belongs to a part`)
    t.ok(operation['x-scopes'].length > 0 || path.startsWith('/oauth/') || operation['x-role'] === 'runner', `${name} has scopes`)
    t.ok(roles.includes(operation['x-role']), `${name} states its least role: config.role of its route`)
    t.ok(
      Object.keys(responses).some(status => /^[23]/.test(status)),
      `${name} says how it succeeds: schema.response of its route`
    )
    t.ok(responses['401'] && responses['403'], `${name} says how it fails`)
    t.same(
      inPath.map(parameter => parameter.name).toSorted(),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter).toSorted(),
      `${name} explains what is in its path`
    )
    for (const { name: parameter, description, required, schema } of inPath) {
      t.ok(description && required && schema, `${name} explains ${parameter}`)
    }
    if (method === 'get') t.notOk(operation.requestBody, `${name} has no body`)
  }
})

t.test('error responses of other protocols have their own shape', async t => {
  const { app } = await openApp(t)
  const { paths } = await read(app)
  const mcp = paths['/api/v4/mcp']!.post!.responses!
  const userinfo = paths['/oauth/userinfo']!.get!.responses!

  t.hasStrict(mcp, { 400: { description: 'A JSON-RPC error, or an error of the API.' }, 401: { $ref: '#/components/responses/401' } })
  for (const status of ['401', '403']) {
    t.match(userinfo[status], { description: /WWW-Authenticate/ })
    t.notOk('content' in userinfo[status]!, `${status} has no content`)
  }
})

t.test('reasons of nested attributes match the shape of validation errors', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { status, body } = await call('POST', `/projects/${project.id}/events`, { action: 'approved', note: { body: 'N' } })
  const { components } = await read(app)

  t.equal(status, 400)
  t.same(body, { message: { 0: { note: ['belongs to the action commented'] } } })
  t.ok(Check(components!.schemas!.Invalid as object, body))
})

t.test('operation ids are unique and stable', async t => {
  const { app } = await openApp(t)
  const names = operations(await read(app)).map(({ operation }) => operation.operationId)

  t.equal(new Set(names).size, names.length)
  for (const name of ['getUser', 'postProjects', 'getProjectsById', 'deleteProjectsByIdErrorTrackingClientKeysByKeyId']) {
    t.ok(names.includes(name), name)
  }
})

t.test('the document lists exactly the routes of the API', async t => {
  const { app } = await openApp(t)
  const listed = operations(await read(app)).map(({ name }) => name)

  // Routes that share a parameter may call it differently; the router knows one name.
  const nameless = (route: string) => route.replaceAll(/\{[^/]+/g, '{}')

  t.same(listed.map(nameless).toSorted(), routesOf(app).map(nameless).toSorted())
})

t.test('the document is valid OpenAPI 3.1', async t => {
  const { app } = await openApp(t, { env: { SERVICE_VERSION: '17.5' } })
  const document = await read(app)

  t.hasStrict(document, {
    info: { title: 'Tocsin', version: '17.5', license: { name: 'MIT' } },
    servers: [{ url: 'http://tocsin.test' }],
    externalDocs: { url: 'http://tocsin.test/help/api' }
  })
  t.match(document, { openapi: /^3\.1\.\d+$/ })
  t.same(
    Object.keys(document).filter(key => !/^(openapi|info|servers|paths|components|tags|externalDocs)$/.test(key)),
    []
  )

  for (const { name, method, operation } of operations(document)) {
    t.ok(methods.includes(method), name)
    t.same(
      Object.keys(operation).filter(key => !documented.test(key)),
      [],
      name
    )
    for (const tag of operation.tags ?? []) t.ok(document.tags?.some(({ name }) => name === tag))
    for (const requirement of operation.security ?? []) {
      for (const scheme of Object.keys(requirement)) t.ok(document.components?.securitySchemes?.[scheme], scheme)
    }
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      t.match(status, /^[1-5]\d\d$/)
      t.ok('$ref' in response || response.description, `${name} ${status}`)
    }
    for (const parameter of (operation.parameters as OpenAPIV3_1.ParameterObject[] | undefined) ?? []) {
      t.ok(/^(path|query|header|cookie)$/.test(parameter.in) && parameter.schema, `${name} ${parameter.name}`)
    }
  }
  for (const reference of referencesIn(document)) t.ok(target(document, reference), reference)
  for (const schema of schemasIn(document)) t.ok(isSchema(schema), JSON.stringify(schema).slice(0, 80))
})

t.test('the document is public, and says so', async t => {
  const { app } = await openApp(t)
  const { paths, components } = await read(app)

  t.same(paths['/api/v4/openapi.json']!.get!.security?.slice(0, 2), [{}, { token: [] }])
  t.same(paths['/api/v4/user']!.get!.security?.[0], { token: [] })
  t.same(paths['/api/v4/user']!.get!['x-scopes'], ['api', 'read_api', 'read_user'])
  t.hasStrict(paths['/api/v4/projects']!.post, { 'x-scopes': ['api'], 'x-role': 'user' })
  t.hasStrict(components?.securitySchemes, {
    token: { in: 'header', name: 'PRIVATE-TOKEN' },
    tokenInQuery: { in: 'query', name: 'private_token' },
    bearer: { type: 'http', scheme: 'bearer' },
    jobToken: { in: 'header', name: 'JOB-TOKEN' },
    session: { in: 'cookie', name: '_service_session' }
  })
  t.hasStrict(components?.responses?.['429'], { content: { 'text/plain': {} }, headers: { 'RateLimit-Reset': {} } })
})

t.test('signed-in users can read the version and metadata', async t => {
  const { call } = await openApp(t, { env: { SERVICE_VERSION: '17.3' } })
  const { body: version } = await call('GET', '/version')

  t.equal(version.version, '17.3.0')
  t.match(version.revision, /^([0-9a-f]{11}|unknown)$/)
  t.same((await call('GET', '/metadata', undefined, rootToken)).body, {
    ...version,
    enterprise: false
  })
  t.equal((await call('GET', '/version', undefined, null)).status, 401)
})

const documented = /^(operationId|summary|description|tags|parameters|requestBody|responses|security|deprecated|externalDocs|x-[a-z-]+)$/

function routesOf(app: FastifyInstance) {
  const stack: string[] = []

  return app
    .printRoutes({ commonPrefix: false, includeHooks: false })
    .split('\n')
    .flatMap(line => {
      const [, indent = '', segment = '', told] = /^((?:│ {3}| {4})*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []

      stack.length = indent.length / 4
      stack.push(segment)
      const path = stack.join('')

      // Where SDKs with an older DSN send to is no part of the REST API.
      const isApi = /^\/(api\/v4\/|oauth\/(?!authorize|discovery))/.test(path) && !path.startsWith('/api/v4/error_tracking/collector/')

      return isApi && told ? told.split(', ').map(method => `${method} ${path.replace(/\/$/, '')}`) : []
    })
    .filter(route => !/^(HEAD|OPTIONS) /.test(route))
    .map(route => route.replace(/:(\w+)/g, '{$1}'))
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { $ref } = value as { $ref?: string }

  return [...($ref ? [$ref] : []), ...Object.values(value).flatMap(referencesIn)]
}

function target(document: unknown, reference: string) {
  return reference
    .split('/')
    .slice(1)
    .reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], document)
}

function schemasIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const { schema } = value as { schema?: object }

  return [...(schema ? [schema] : []), ...Object.values(value).flatMap(schemasIn)]
}

const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

/** Checks types and nested schemas only. */
function isSchema(schema: object): boolean {
  const { type, properties = {}, additionalProperties, items, anyOf = [], required = [] } = schema as Record<string, never>
  const inner = [items, additionalProperties].filter(part => typeof part === 'object')
  const members = [...Object.values(properties), ...inner, ...(anyOf as object[])] as object[]

  return (
    [type ?? []].flat().every(name => types.includes(name)) &&
    Array.isArray(required) &&
    (required as string[]).every(name => name in (properties as object)) &&
    !Array.isArray(items) &&
    members.every(isSchema)
  )
}

t.test('the document lists the statuses that any route may answer with', async t => {
  const { app, call } = await openApp(t)
  const { paths } = (await app.inject('/api/v4/openapi.json')).json()
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const headers = { 'private-token': rootToken }
  const request = async (method: 'GET' | 'PUT', url: string, options: object = {}) =>
    (await app.inject({ method, url: `/api/v4${url}`, headers, ...options })).statusCode

  await call('PUT', `/projects/${project.id}`, { path: 'q' })
  const etag = (await call('GET', `/projects/${project.id}`)).headers.etag as string
  const answered = {
    get: [
      await request('GET', '/projects/root%2Fp'),
      await request('GET', `/projects/${project.id}`, { headers: { ...headers, 'if-none-match': etag } }),
      await request('GET', `/projects/${project.id}?x=%`),
      await request('GET', `/projects/${project.id}?x=${'x'.repeat(9000)}`)
    ],
    put: [
      await request('PUT', '/projects/root%2Fp', { payload: {} }),
      await request('PUT', `/projects/${project.id}`, {
        payload: {},
        headers: { ...headers, 'if-unmodified-since': new Date(0).toUTCString() }
      }),
      await request('PUT', `/projects/${project.id}`, {
        payload: 'a'.repeat(2 ** 21),
        headers: { ...headers, 'content-type': 'application/json' }
      }),
      await request('PUT', `/projects/${project.id}`, { payload: 'a,b', headers: { ...headers, 'content-type': 'text/csv' } })
    ]
  }

  t.same(answered, { get: [301, 304, 400, 414], put: [405, 412, 413, 415] })
  for (const [method, statuses] of Object.entries(answered)) {
    const { responses } = paths['/api/v4/projects/{id}'][method]

    for (const status of [...statuses, 401, 403, 404, 408, 429, 431, 500, 503]) t.ok(responses[status], `${method} ${status}`)
  }
})

t.test('times, safe integers and empty bodies are documented as the API accepts them', async t => {
  const { app } = await openApp(t)
  const { paths } = (await app.inject('/api/v4/openapi.json')).json()
  const { parameters } = paths['/api/v4/audit_events'].get
  const schemaOf = (name: string) => parameters.find((parameter: { name: string }) => parameter.name === name).schema

  t.same(schemaOf('created_after').anyOf, [{ format: 'date' }, { format: 'date-time' }, { maxLength: 0 }])
  t.equal(schemaOf('entity_id').maximum, Number.MAX_SAFE_INTEGER)
  t.same(paths['/api/v4/groups/{id}'].put.requestBody.content['application/json'].schema.type, ['object', 'null'])
  t.hasStrict(paths['/api/v4/projects'].post.requestBody.content['application/json'].schema.properties.namespace_id, {
    type: ['integer', 'string', 'null'],
    maximum: Number.MAX_SAFE_INTEGER
  })
})

t.test('lists, objects and empty values of queries are documented as the API reads them', async t => {
  const { app, call } = await openApp(t)
  const { paths } = await read(app)
  const parameterOf = (path: string, name: string) =>
    (paths[path]!.get!.parameters as OpenAPIV3_1.ParameterObject[]).find(parameter => parameter.name === name)
  const lists = operations({ paths } as Document).flatMap(({ operation: { parameters = [] } }) =>
    (parameters as OpenAPIV3_1.ParameterObject[]).filter(({ schema }) => (schema as OpenAPIV3_1.SchemaObject).type === 'array')
  )

  for (const { name, style, explode, schema } of lists) {
    const { items, 'x-comma-separated': isSeparated } = schema as { items: { type: string }; 'x-comma-separated'?: true }

    t.same({ style, explode }, { style: 'form', explode: false }, name)
    t.ok(isSeparated || items.type === 'integer', `${name} may be separated by commas`)
  }
  t.hasStrict(parameterOf('/api/v4/issues', 'not'), { style: 'deepObject', explode: true })
  t.hasStrict(parameterOf('/api/v4/projects', 'page'), { allowEmptyValue: true })
  t.notOk(parameterOf('/api/v4/projects', 'search')!.allowEmptyValue, 'an empty text is a text')
  t.equal((await call('GET', '/groups?page=&skip_groups=1,2')).status, 200)
})

t.test('uploads are documented as multipart forms', async t => {
  const { app } = await openApp(t)
  const { paths } = await read(app)
  const contentOf = (path: string, method: 'post' | 'put') =>
    (paths[`/api/v4/${path}`]![method]!.requestBody as OpenAPIV3_1.RequestBodyObject).content
  const required = contentOf('projects/{id}/alert_management_alerts/{alert_iid}/metric_images', 'post')
  const optional = contentOf('projects/{id}', 'put')

  t.same(Object.keys(required), ['multipart/form-data'])
  t.hasStrict(required['multipart/form-data']!.schema, { required: ['file'], properties: { file: { type: 'string', format: 'binary' } } })
  t.same(Object.keys(optional), ['application/json', 'multipart/form-data'])
  t.hasStrict(optional['application/json']!.schema, { properties: { avatar: { enum: ['', null] } } })
  t.hasStrict(optional['multipart/form-data']!.schema, {
    properties: { avatar: { type: 'string', format: 'binary' }, issues_enabled: { type: ['boolean', 'string', 'integer', 'null'] } }
  })
})

t.test('downloads are documented with the media types of their files', async t => {
  const { app } = await openApp(t)
  const { paths } = await read(app)
  const typesOf = (path: string) =>
    Object.keys((paths[`/api/v4/projects/{id}/${path}`]!.get!.responses!['200'] as OpenAPIV3_1.ResponseObject).content!)

  t.same(typesOf('repository/files/{file_path}/raw'), ['text/plain', 'application/octet-stream'])
  t.same(typesOf('repository/archive.zip'), ['application/zip'])
  t.same(typesOf('alert_management_alerts/{alert_iid}/metric_images/{image_id}/file'), ['image/*'])
  t.same(typesOf('error_tracking/errors/{fingerprint}/events/{event_id}/attachments/{attachment_id}'), ['application/octet-stream'])
})

t.test('a method that only a less specific route has is not allowed', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const request = (method: 'PUT' | 'OPTIONS', url: string) =>
    app.inject({ method, url: `/api/v4/projects/${project.id}${url}`, headers: { 'private-token': rootToken } })

  t.equal((await request('PUT', '/members/all')).statusCode, 405)
  t.equal((await request('PUT', '/members/1')).statusCode, 200)
  t.equal((await request('OPTIONS', '/members/all')).headers.allow, 'GET, HEAD, OPTIONS')
  t.equal((await request('OPTIONS', '/members/1')).headers.allow, 'DELETE, GET, HEAD, OPTIONS, PUT')
})
