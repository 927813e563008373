import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { NotFound } from '#lib/refusals.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { paragraphs, prose } from '../layout/prose.ts'
import { anchor, operationPart } from './api-operation.ts'
import type { ApiOperation } from './curl.ts'

interface Group {
  name: string
  slug: string
  description: string
  operations: ApiOperation[]
}

/** API documentation: a table of contents, and a page for each tag. */
export async function apiPages(app: FastifyInstance) {
  let loaded: { document: OpenAPIV3_1.Document; groups: Group[] } | undefined
  const api = async () => {
    const document = await app.apiDocument()

    loaded ??= { document, groups: groupsOf(document) }

    return loaded
  }

  app.get('/help/api', { onRequest: app.allowAnyone }, async (_request, reply) => {
    const { document, groups } = await api()

    return page(
      reply,
      { title: 'REST API' },
      html`
      <section class="card help">
        <h1>REST API</h1>
        ${paragraphs(document.info.description ?? '')}
        <p>Base URL: <code>${document.servers?.[0]?.url}</code>. Version: ${document.info.version}. The same documentation as
        <a href="/api/v4/openapi.json">OpenAPI 3.1</a>. See also <a href="/help/deprecations">deprecations</a>.</p>
        <h2>Authentication</h2>
        <dl>${Object.values(document.components?.securitySchemes ?? {}).map(scheme => credential(scheme as OpenAPIV3_1.SecuritySchemeObject))}</dl>
      </section>
      ${groups.map(group => contents(group, html`<h2><a href="/help/api/${group.slug}">${group.name}</a></h2>`))}`
    )
  })

  app.get<{ Params: { group: string } }>('/help/api/:group', { onRequest: app.allowAnyone }, async (request, reply) => {
    const { document, groups } = await api()
    const group = groups.find(({ slug }) => slug === request.params.group)

    if (!group) throw new NotFound()

    return page(
      reply,
      { title: `${group.name} · REST API` },
      html`
      <nav class="trail"><a href="/help/api">REST API</a> › ${group.name}</nav>
      ${contents(group, html`<h1>${group.name}</h1>`)}
      ${group.operations.map(operation => operationPart(document, operation))}`
    )
  })
}

function groupsOf({ tags = [], paths = {} }: OpenAPIV3_1.Document): Group[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({ ...(operation as ApiOperation), method: method.toUpperCase(), path }))
  )

  return tags.map(({ name, description = '' }) => ({
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    description,
    operations: operations.filter(({ tags }) => tags?.includes(name))
  }))
}

function contents({ slug, description, operations }: Group, heading: Html) {
  return html`
    <section class="card help" id="${slug}">
      ${heading}
      <p class="hint">${description}</p>
      <ul class="contents">
        ${operations.map(
          operation => html`
          <li>
            <a href="/help/api/${slug}#${anchor(operation)}"><b class="method ${operation.method}">${operation.method}</b> <code>${operation.path.replace('/api/v4', '')}</code></a>
            <span>${operation.summary}</span>
          </li>`
        )}
      </ul>
    </section>`
}

function credential(scheme: OpenAPIV3_1.SecuritySchemeObject) {
  const places = { header: 'Header', query: 'Query', cookie: 'Cookie' }
  const place =
    scheme.type === 'apiKey'
      ? `${places[scheme.in as keyof typeof places]} \`${scheme.name}\``
      : `Header \`Authorization: ${(scheme as OpenAPIV3_1.HttpSecurityScheme).scheme === 'basic' ? 'Basic' : 'Bearer'}\``

  return html`<dt>${prose(place)}</dt><dd>${prose(scheme.description ?? '')}</dd>`
}
