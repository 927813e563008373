import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Operation } from '../../http/openapi/operation.ts'
import { prose } from '../layout/prose.ts'
import { curl } from './curl.ts'
import { type Field, fieldsOf, typeOf } from './fields.ts'

export type ApiOperation = Operation & { method: string; path: string }

/** One operation: what it takes, what it answers, who may, and a line to try. */
export function operationPart(app: FastifyInstance, document: OpenAPIV3_1.Document, operation: ApiOperation) {
  const { method, path, summary, description, parameters = [], requestBody, responses = {}, 'x-deprecation': deprecation } = operation
  const given = parameters as OpenAPIV3_1.ParameterObject[]
  const body = schemaOf(requestBody)

  return app.html`
    <article class="card help" id="${anchor(operation)}">
      <h2><b class="method ${method}">${method}</b> <code>${path}</code></h2>
      <p>${summary}</p>
      !${deprecation ? app.html`<p class="problem">Falls under a <a href="/help/deprecations#${deprecation}">deprecation</a>.</p>` : ''}
      !${description ? app.html`<p>!${prose(app, description)}</p>` : ''}
      <p class="hint">Role: ${roles[operation['x-role']]} · Scopes: ${operation['x-scopes'].join(' or ')}</p>
      !${table(app, 'In the path', given.filter(isIn('path')).map(toField))}
      !${table(app, 'In the query', given.filter(isIn('query')).map(toField))}
      !${body ? table(app, 'In the body', fieldsOf(body, document)) : ''}
      <h3>Try it</h3>
      <pre tabindex="0" role="region" aria-label="Example">${curl(document, operation)}</pre>
      !${Object.entries(responses).map(([status, response]) => answer(app, document, status, response))}
      <h3>Errors</h3>
      <ul class="errors">!${Object.entries(responses).map(([status, response]) => error(app, document, status, response))}</ul>
    </article>`
}

export function anchor({ operationId = '' }: ApiOperation) {
  return operationId
}

const roles = {
  anyone: 'anybody, signed in or not',
  user: 'any user',
  guest: 'Guest',
  reporter: 'Reporter',
  developer: 'Developer',
  maintainer: 'Maintainer',
  owner: 'Owner',
  admin: 'administrator'
}

type Response = OpenAPIV3_1.ReferenceObject | OpenAPIV3_1.ResponseObject

function answer(app: FastifyInstance, document: OpenAPIV3_1.Document, status: string, response: Response) {
  if ('$ref' in response) return ''
  const schema = schemaOf(response)
  const title = `${status}: ${schema ? typeOf(schema, document) : response.description}`

  return schema ? table(app, title, fieldsOf(schema, document)) : app.html`<h3>${title}</h3>`
}

function error(app: FastifyInstance, { components }: OpenAPIV3_1.Document, status: string, response: Response) {
  if (!('$ref' in response)) return ''
  const shared = components?.responses?.[status] as OpenAPIV3_1.ResponseObject

  return app.html`<li><code>${status}</code> ${shared.description}</li>`
}

function table(app: FastifyInstance, title: string, fields: Field[]) {
  if (fields.length === 0) return /^\d/.test(title) ? app.html`<h3>${title}</h3>` : ''

  return app.html`
    <h3>${title}</h3>
    <table class="fields">
      <thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
      <tbody>
        !${fields.map(
          ({ name, type, isRequired, meaning }) => app.html`
          <tr><td><code>${name}</code></td><td>${type}</td><td>!${isRequired && !/^\d/.test(title) ? '<em>required</em> ' : ''}!${prose(app, meaning)}</td></tr>`
        )}
      </tbody>
    </table>`
}

function toField({ name, required = false, description = '', schema = {} }: OpenAPIV3_1.ParameterObject): Field {
  return { name, isRequired: required, meaning: description, type: typeOf(schema as OpenAPIV3_1.SchemaObject) }
}

function isIn(place: string) {
  return (parameter: OpenAPIV3_1.ParameterObject) => parameter.in === place
}

function schemaOf(content: object | undefined) {
  const media = Object.values((content as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {})[0]

  return media?.schema as OpenAPIV3_1.SchemaObject | undefined
}
