import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { NotFound } from '../../http/problems/problems.ts'
import { paragraphs, prose } from '../layout/prose.ts'
import { type ApiOperation, anchor, operationPart } from './api-operation.ts'

interface Group {
  name: string
  slug: string
  about: string
  operations: ApiOperation[]
}

/** The document of the API for people: a page of contents, and one for each of its parts. */
export async function apiPages(app: FastifyInstance) {
  let read: { document: OpenAPIV3_1.Document; groups: Group[] } | undefined
  const api = async () => {
    const document = await app.apiDocument()

    read ??= { document, groups: groupsOf(document) }

    return read
  }

  app.get('/help/api', async (_request, reply) => {
    const { document, groups } = await api()
    Object.assign(reply, { title: 'REST API · Tocsin', isWide: true })

    return reply.html`
      <section class="card help">
        <h1>REST API</h1>
        !${paragraphs(app, document.info.description ?? '')}
        <p>Everything here is under <code>${document.servers?.[0]?.url}</code>, as version ${document.info.version}. For programs there is the same as
        <a href="/api/v4/openapi.json">OpenAPI 3.1</a>; what is on its way out is under <a href="/help/deprecations">deprecations</a>.</p>
        <h2>Saying who you are</h2>
        <dl>!${Object.values(document.components?.securitySchemes ?? {}).map(scheme => credential(app, scheme as OpenAPIV3_1.SecuritySchemeObject))}</dl>
      </section>
      !${groups.map(group => contents(app, group, app.html`<h2><a href="/help/api/${group.slug}">${group.name}</a></h2>`))}`
  })

  app.get<{ Params: { group: string } }>('/help/api/:group', async (request, reply) => {
    const { document, groups } = await api()
    const group = groups.find(({ slug }) => slug === request.params.group)

    if (!group) throw new NotFound()
    Object.assign(reply, { title: `${group.name} · REST API · Tocsin`, isWide: true })

    return reply.html`
      <nav class="trail"><a href="/help/api">REST API</a> › ${group.name}</nav>
      !${contents(app, group, app.html`<h1>${group.name}</h1>`)}
      !${group.operations.map(operation => operationPart(app, document, operation))}`
  })
}

function groupsOf({ tags = [], paths = {} }: OpenAPIV3_1.Document): Group[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({ ...(operation as ApiOperation), method: method.toUpperCase(), path }))
  )

  return tags.map(({ name, description = '' }) => ({
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    about: description,
    operations: operations.filter(({ tags }) => tags?.includes(name))
  }))
}

function contents({ html }: FastifyInstance, { slug, about, operations }: Group, heading: string) {
  return html`
    <section class="card help" id="${slug}">
      !${heading}
      <p class="hint">${about}</p>
      <ul class="contents">
        !${operations.map(
          operation => html`
          <li>
            <a href="/help/api/${slug}#${anchor(operation)}"><b class="method ${operation.method}">${operation.method}</b> <code>${operation.path.replace('/api/v4', '')}</code></a>
            <span>${operation.summary}</span>
          </li>`
        )}
      </ul>
    </section>`
}

function credential(app: FastifyInstance, scheme: OpenAPIV3_1.SecuritySchemeObject) {
  const places = { header: 'Header', query: 'Query', cookie: 'Cookie' }
  const place =
    scheme.type === 'apiKey' ? `${places[scheme.in as keyof typeof places]} \`${scheme.name}\`` : 'Header `Authorization: Bearer`'

  return app.html`<dt>!${prose(app, place)}</dt><dd>!${prose(app, scheme.description ?? '')}</dd>`
}
