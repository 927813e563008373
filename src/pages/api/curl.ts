import type { OpenAPIV3_1 } from 'openapi-types'
import type { Operation } from '#api/openapi/operation.ts'
import { usualType } from './fields.ts'

export type ApiOperation = Operation & { method: string; path: string }

type Schema = OpenAPIV3_1.SchemaObject

/** An example command with every required parameter. */
export function curl({ servers }: OpenAPIV3_1.Document, { method, path, parameters = [], requestBody, ...operation }: ApiOperation) {
  const given = parameters as OpenAPIV3_1.ParameterObject[]
  const address = given
    .filter(parameter => parameter.in === 'path')
    .reduce((path, { name, schema }) => path.replace(`{${name}}`, name === 'id' ? '1' : String(example(name, schema as Schema))), path)
  const query = given.filter(parameter => parameter.in === 'query' && parameter.required)
  const search = query.map(({ name, schema }) => `${name}=${example(name, schema as Schema)}`).join('&')
  const body = bodyOf(requestBody)
  const isForm = 'multipart/form-data' in contentOf(requestBody) && !('application/json' in contentOf(requestBody))

  return [
    'curl',
    method !== 'GET' && `--request ${method}`,
    operation['x-role'] !== 'anyone' && "--header 'PRIVATE-TOKEN: <your token>'",
    ...(isForm ? Object.keys(body ?? {}).map(name => `--form '${name}=@<${name}>'`) : [body && `--json '${JSON.stringify(body)}'`]),
    `'${servers?.[0]?.url}${address}${search && `?${search}`}'`
  ]
    .filter(Boolean)
    .join(' \\\n  ')
    .replace('curl \\\n  ', 'curl ')
}

function contentOf(requestBody: ApiOperation['requestBody']) {
  return (requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {}
}

function bodyOf(requestBody: ApiOperation['requestBody']) {
  const schema = Object.values(contentOf(requestBody))[0]?.schema as Schema | undefined
  if (!schema) return undefined

  const required = new Set(schema.required ?? Object.keys(schema.properties ?? {}).slice(0, 1))
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name))

  return members.length > 0 ? Object.fromEntries(members.map(([name, shape]) => [name, example(name, shape as Schema)])) : undefined
}

function example(name: string, schema: Schema = {}): unknown {
  const { enum: values, anyOf, examples } = schema
  const type = usualType(schema)

  if (examples?.[0] !== undefined) return examples[0]
  if (values) return values[0]
  if (anyOf) return example(name, anyOf[0] as Schema)
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (type === 'array') return [example(name, (schema as { items?: Schema }).items)]
  if (type === 'object') return {}

  return schema.format === 'date' ? '2026-12-31' : `<${name.replaceAll('_', ' ')}>`
}
