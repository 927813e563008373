import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { OpenAPIV3_1 } from 'openapi-types'
import Type from 'typebox'
import type { Version } from '#lib/deprecations/stages.ts'
import { sessionCookieName } from '../guards/cookies.ts'
import { describeQuery } from './describe-query.ts'
import { describeOperation, type Operation } from './operation.ts'
import { shapes, sharedResponses } from './shared-responses.ts'
import { tags } from './tags.ts'

export type ApiDocument = OpenAPIV3_1.Document

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document, created on first use. */
    apiDocument: () => Promise<ApiDocument>
  }
}

const description = `The REST API, shaped like GitLab's.

Send parameters in the query string or in the body, as JSON or as a form; this document shows the body. Unknown parameters are ignored.
The first type of a parameter is the usual one. The others are also accepted: numbers as text, a single value as a list, and null for
a parameter that is not given.
Lists are paginated: the \`Link\` header has the other pages. A token needs one of the scopes in \`x-scopes\`, a caller at least the role in
\`x-role\`, and in private projects that in \`x-private-role\`; without them the response is 403. Resources that you may not see return 404.

Programs report errors to the DSN of a client key, with any Sentry SDK.`

const securitySchemes = {
  token: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A personal, project, group or impersonation token.' },
  tokenInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'private_token',
    description: 'The same token. Prefer the header: URLs end up in logs.'
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token, or an OAuth access token.' },
  client: { type: 'http', scheme: 'basic', description: 'An OAuth application: its `client_id` and `client_secret`.' },
  jobToken: { type: 'apiKey', in: 'header', name: 'JOB-TOKEN', description: 'The token of a CI job, for the operations that list it.' }
}

function sessionScheme(config: { isSecure: boolean }) {
  return { type: 'apiKey', in: 'cookie', name: sessionCookieName(config), description: 'Set when signing in with a browser.' }
}

/** Collects the routes' schemas. Register it before the routes. */
export const openapi = fp(async (app: FastifyInstance) => {
  const routes: RouteOptions[] = []
  const { config } = app.platform
  let described: { baseUrl: string; document: Promise<ApiDocument> } | undefined

  app.addHook('onRoute', route => void routes.push(route))
  app.decorate('apiDocument', () => {
    if (described?.baseUrl !== config.baseUrl) described = { baseUrl: config.baseUrl, document: describe(routes, config) }

    return described.document
  })
})

/** @fastify/swagger is loaded on first use, because it takes much memory. */
async function describe(routes: RouteOptions[], config: Version & { baseUrl: string; isSecure: boolean }) {
  const { default: swagger } = await import('@fastify/swagger')
  const reader = Fastify({ exposeHeadRoutes: false })

  reader.setValidatorCompiler(() => () => true)
  reader.setSerializerCompiler(() => () => '')
  await reader.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Tocsin', version: config.serviceVersion, description, license: { name: 'MIT', identifier: 'MIT' } },
      tags: tags.map(({ name, description }) => ({ name, description })),
      components: {
        securitySchemes: { ...securitySchemes, session: sessionScheme(config) },
        schemas: shapes,
        responses: sharedResponses
      } as never
    },
    stripBasePath: false,
    transform: ({ schema, url, route }) => ({
      url,
      schema: isDocumented(url, schema) ? describeOperation(schema, url, route, config) : { hide: true }
    }),
    transformObject: given => ('openapiObject' in given ? finish(given.openapiObject as ApiDocument, config.baseUrl) : given.swaggerObject)
  })
  for (const { method: methods, url, schema, config } of routes)
    for (const method of [methods].flat()) if (method !== 'HEAD') reader.route({ method, url, schema, config, handler: () => {} })
  await reader.ready()

  return reader.swagger() as ApiDocument
}

/** The REST API, and the OAuth endpoints that applications call. */
function isDocumented(url: string, schema?: FastifySchema) {
  return url.startsWith('/api/v4/') || (url.startsWith('/oauth/') && schema?.tags !== undefined)
}

/** The OpenAPI document; no credential is needed. */
export async function openapiRoute(app: FastifyInstance) {
  let written: { document: ApiDocument; text: string } | undefined

  app.get(
    '/openapi.json',
    {
      config: { role: 'anyone' },
      schema: {
        summary: 'Get the OpenAPI document',
        response: { 200: Type.Object({ openapi: Type.String() }, { additionalProperties: true }) }
      }
    },
    async (_request, reply) => {
      const document = await app.apiDocument()

      if (written?.document !== document) written = { document, text: JSON.stringify(document) }

      return reply.type('application/json').send(written.text)
    }
  )
}

/** Adds what @fastify/swagger cannot: shared responses, how parameters are written, and the server's URL. */
function finish(document: ApiDocument, baseUrl: string) {
  for (const operation of operationsOf(document)) {
    const { 'x-statuses': statuses = [], ...rest } = operation

    // A route's own responses win: those of other protocols have another shape.
    for (const status of statuses) operation.responses![status] ??= { $ref: `#/components/responses/${status}` }
    if (operation.requestBody) {
      const body = rest.requestBody as OpenAPIV3_1.RequestBodyObject

      Object.assign(operation.requestBody, { required: isRequired(body) })
      if (!isRequired(body)) allowNull(body)
    }
    if (operation.parameters) operation.parameters = (operation.parameters as OpenAPIV3_1.ParameterObject[]).map(describeQuery)
    delete operation['x-statuses']
  }
  const used = new Set(operationsOf(document).flatMap(({ tags = [] }) => tags))

  return {
    ...document,
    servers: [{ url: baseUrl }],
    tags: document.tags?.filter(({ name }) => used.has(name)),
    externalDocs: { url: `${baseUrl}/help/api`, description: 'API documentation' }
  } as never
}

function operationsOf({ paths = {} }: ApiDocument) {
  return Object.values(paths).flatMap(item => Object.values(item ?? {})) as Operation[]
}

/** Null counts as an empty object: Go clients send it. */
function allowNull({ content }: OpenAPIV3_1.RequestBodyObject) {
  const json = content['application/json']

  if (json) Object.assign(json, { schema: { ...json.schema, type: ['object', 'null'] } })
}

function isRequired({ content }: OpenAPIV3_1.RequestBodyObject) {
  return Object.values(content).some(({ schema }) => schema && (!('properties' in schema) || (schema.required?.length ?? 0) > 0))
}
