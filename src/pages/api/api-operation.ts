import type { OpenAPIV3_1 } from 'openapi-types'
import { html } from '../layout/html.ts'
import { prose } from '../layout/prose.ts'
import { type ApiOperation, curl } from './curl.ts'
import { type Field, fieldsOf, typeOf } from './fields.ts'

/** Parameters, responses, required role and scopes, and an example of one operation. */
export function operationPart(document: OpenAPIV3_1.Document, operation: ApiOperation) {
  const { method, path, summary, description, parameters = [], requestBody, responses = {}, 'x-deprecation': deprecation } = operation
  const given = parameters as OpenAPIV3_1.ParameterObject[]
  const body = schemaOf(requestBody)

  return html`
    <article class="card help" id="${anchor(operation)}">
      <h2><b class="method ${method}">${method}</b> <code>${path}</code></h2>
      <p>${summary}</p>
      ${deprecation ? html`<p class="problem">Affected by a <a href="/help/deprecations#${deprecation}">deprecation</a>.</p>` : ''}
      ${description ? html`<p>${prose(description)}</p>` : ''}
      <p class="hint">Role: ${roles[operation['x-role']]}${operation['x-private-role'] ? `, ${roles[operation['x-private-role']]} in private projects` : ''} · Scopes: ${operation['x-scopes'].join(' or ') || 'none'}</p>
      ${table('Path parameters', given.filter(isIn('path')).map(toField))}
      ${table('Query parameters', given.filter(isIn('query')).map(toField))}
      ${body ? table('Body parameters', fieldsOf(body, document)) : ''}
      <h3>Example</h3>
      <pre tabindex="0" role="region" aria-label="Example">${curl(document, operation)}</pre>
      ${Object.entries(responses).map(([status, response]) => answer(document, status, response))}
      <h3>Errors</h3>
      <ul class="errors">${Object.entries(responses).map(([status, response]) => error(document, status, response))}</ul>
    </article>`
}

export function anchor({ operationId = '' }: ApiOperation) {
  return operationId
}

const roles = {
  anyone: 'none',
  user: 'any user',
  guest: 'Guest',
  reporter: 'Reporter',
  developer: 'Developer',
  maintainer: 'Maintainer',
  owner: 'Owner',
  runner: 'none; for runners',
  admin: 'administrator'
}

type Response = OpenAPIV3_1.ReferenceObject | OpenAPIV3_1.ResponseObject

function answer(document: OpenAPIV3_1.Document, status: string, response: Response) {
  if ('$ref' in response) return ''
  const schema = schemaOf(response)
  const title = `${status}: ${schema ? typeOf(schema, document) : response.description}`

  return schema ? table(title, fieldsOf(schema, document)) : html`<h3>${title}</h3>`
}

function error({ components }: OpenAPIV3_1.Document, status: string, response: Response) {
  if (!('$ref' in response)) return ''
  const shared = components?.responses?.[status] as OpenAPIV3_1.ResponseObject

  return html`<li><code>${status}</code> ${shared.description}</li>`
}

function table(title: string, fields: Field[]) {
  if (fields.length === 0) return /^\d/.test(title) ? html`<h3>${title}</h3>` : ''

  return html`
    <h3>${title}</h3>
    <table class="fields">
      <thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
      <tbody>
        ${fields.map(
          ({ name, type, isRequired, description }) => html`
          <tr><td><code>${name}</code></td><td>${type}</td><td>${isRequired && !/^\d/.test(title) ? html`<em>required</em> ` : ''}${prose(description)}</td></tr>`
        )}
      </tbody>
    </table>`
}

function toField({ name, required = false, description = '', schema = {} }: OpenAPIV3_1.ParameterObject): Field {
  return { name, isRequired: required, description: description, type: typeOf(schema as OpenAPIV3_1.SchemaObject) }
}

function isIn(place: string) {
  return (parameter: OpenAPIV3_1.ParameterObject) => parameter.in === place
}

function schemaOf(content: object | undefined) {
  const media = Object.values((content as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {})[0]

  return media?.schema as OpenAPIV3_1.SchemaObject | undefined
}
