import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { OpenAPIV3_1 } from 'openapi-types'
import Type from 'typebox'
import type { Version } from '../deprecations/deprecations.ts'
import { parts } from '../parameters/parts.ts'
import { describeOperation, type Operation } from './operation.ts'
import { answers, shapes } from './shared-responses.ts'

export type ApiDocument = OpenAPIV3_1.Document

declare module 'fastify' {
  interface FastifyInstance {
    /** The API as a document, made when somebody asks for it first. */
    apiDocument: () => Promise<ApiDocument>
  }
}

const description = `The REST API, shaped like GitLab's.

Parameters go in the query or in the body, as JSON or as a form, as you like; the body is shown here. Members that are not known are ignored.
Lists come in pages: the \`Link\` header leads to the others. \`x-scopes\` are the scopes of which a token needs one, \`x-role\` the least role.
A token without the scope gets 403, and so does a caller without the role; what you may not see is not found.

What programs report goes elsewhere: to the DSN of a client key, with any Sentry SDK.`

const securitySchemes: OpenAPIV3_1.ComponentsObject['securitySchemes'] = {
  token: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A personal, project, group or impersonation token.' },
  tokenInQuery: { type: 'apiKey', in: 'query', name: 'private_token', description: 'The same; addresses end up in logs, so better not.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same, or an OAuth access token.' },
  jobToken: { type: 'apiKey', in: 'header', name: 'JOB-TOKEN', description: 'The token of a CI job; for the few operations that name it.' },
  session: { type: 'apiKey', in: 'cookie', name: '_service_session', description: 'Set by signing in at a browser.' }
}

/** Collects what the routes say of themselves: register it before them. */
export const openapi = fp(async (app: FastifyInstance) => {
  const routes: RouteOptions[] = []
  let document: Promise<ApiDocument> | undefined

  app.addHook('onRoute', route => void routes.push(route))
  app.decorate('apiDocument', () => {
    document ??= describe(routes, app.platform.config)

    return document
  })
})

/** What turns routes into a document weighs more than most of them, and few ever ask. */
async function describe(routes: RouteOptions[], config: Version & { baseUrl: string }) {
  const { default: swagger } = await import('@fastify/swagger')
  const reader = Fastify({ exposeHeadRoutes: false })

  reader.setValidatorCompiler(() => () => true)
  reader.setSerializerCompiler(() => () => '')
  await reader.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Tocsin', version: config.serviceVersion, description, license: { name: 'MIT', identifier: 'MIT' } },
      tags: parts.map(({ name, about }) => ({ name, description: about })),
      components: { securitySchemes, schemas: shapes, responses: answers } as never
    },
    stripBasePath: false,
    transform: ({ schema, url, route }) => ({
      url,
      schema: url.startsWith('/api/v4/') ? describeOperation(schema, url, route, config) : { hide: true }
    }),
    transformObject: given => ('openapiObject' in given ? finish(given.openapiObject as ApiDocument, config.baseUrl) : given.swaggerObject)
  })
  for (const { method, url, schema, config } of routes)
    if (method !== 'HEAD') reader.route({ method, url, schema, config, handler: () => {} })
  await reader.ready()

  return reader.swagger() as ApiDocument
}

/** The document itself, for programs; anybody may read it. */
export async function openapiRoute(app: FastifyInstance) {
  let text: string | undefined

  app.get(
    '/openapi.json',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: { summary: 'This document', response: { 200: Type.Object({ openapi: Type.String() }, { additionalProperties: true }) } }
    },
    async (_request, reply) => {
      text ??= JSON.stringify(await app.apiDocument())

      return reply.type('application/json').send(text)
    }
  )
}

/** What the collector cannot be told: shared answers, and where it all is (known for sure once somebody asks). */
function finish(document: ApiDocument, baseUrl: string) {
  for (const operation of operationsOf(document)) {
    const { 'x-answers': also = [], ...rest } = operation

    Object.assign(operation.responses!, Object.fromEntries(also.map(status => [status, { $ref: `#/components/responses/${status}` }])))
    if (operation.requestBody)
      Object.assign(operation.requestBody, { required: isRequired(rest.requestBody as OpenAPIV3_1.RequestBodyObject) })
    delete operation['x-answers']
  }
  const used = new Set(operationsOf(document).flatMap(({ tags = [] }) => tags))

  return {
    ...document,
    servers: [{ url: baseUrl }],
    tags: document.tags?.filter(({ name }) => used.has(name)),
    externalDocs: { url: `${baseUrl}/help/api`, description: 'The same for people' }
  } as never
}

function operationsOf({ paths = {} }: ApiDocument) {
  return Object.values(paths).flatMap(item => Object.values(item ?? {})) as Operation[]
}

function isRequired({ content }: OpenAPIV3_1.RequestBodyObject) {
  return Object.values(content).some(({ schema }) => schema && (!('properties' in schema) || (schema.required?.length ?? 0) > 0))
}
