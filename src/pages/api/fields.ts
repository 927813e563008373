import type { OpenAPIV3_1 } from 'openapi-types'

type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject

export interface Field {
  name: string
  type: string
  isRequired: boolean
  description: string
}

/** Objects nested deeper are not listed. */
const maxDepth = 3

/** The members of a schema and of its members, as `name.of.member` and `list[].member`. */
export function fieldsOf(given: Schema, document?: OpenAPIV3_1.Document, prefix = '', depth = 0): Field[] {
  const schema = partsOf(resolve(given, document))
    .map(part => resolve(part, document))
    .find(part => part.properties || itemsOf(part))

  if (!schema || depth > maxDepth) return []
  const items = itemsOf(schema)
  if (items) return fieldsOf(items, document, depth === 0 ? '' : `${prefix.slice(0, -1)}[].`, depth)

  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    {
      name: `${prefix}${name}`,
      type: typeOf(member, document),
      isRequired: schema.required?.includes(name) ?? false,
      description: describe(member)
    },
    ...fieldsOf(member, document, `${prefix}${name}.`, depth + 1)
  ])
}

/** A type as text. */
export function typeOf(given: Schema, document?: OpenAPIV3_1.Document): string {
  const schema = resolve(given, document) as OpenAPIV3_1.SchemaObject & { const?: unknown }
  const items = itemsOf(schema)

  if (schema.anyOf ?? schema.oneOf) return unique(partsOf(schema).map(part => typeOf(part, document))).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return unique(schema.enum.filter(value => value !== null).map(String)).join(', ')
  if (items) return `list of ${plural(typeOf(items, document))}`
  if (schema.format) return `${schema.type} (${schema.format})`

  return usualType(schema) ?? 'anything'
}

function describe(schema: Schema) {
  const { description = '', default: fallback, minimum, maximum, maxLength } = schema as OpenAPIV3_1.SchemaObject
  const type = usualType(schema as OpenAPIV3_1.SchemaObject)
  const isNumber = type === 'integer' || type === 'number'
  const bounds = [
    fallback !== undefined && `default \`${JSON.stringify(fallback)}\``,
    isNumber && minimum !== undefined && `from ${minimum}`,
    isNumber && maximum !== undefined && `to ${maximum}`,
    type === 'string' && maxLength !== undefined && `at most ${maxLength} characters`
  ].filter(Boolean)

  if (!description || bounds.length === 0) return description || bounds.join(', ')

  return `${description} (${bounds.join(', ')})`
}

function resolve(schema: Schema, document?: OpenAPIV3_1.Document): OpenAPIV3_1.SchemaObject {
  if (!('$ref' in schema)) return schema as OpenAPIV3_1.SchemaObject
  const name = (schema as OpenAPIV3_1.ReferenceObject).$ref.split('/').at(-1)!

  return (document?.components?.schemas?.[name] ?? {}) as OpenAPIV3_1.SchemaObject
}

function partsOf(schema: OpenAPIV3_1.SchemaObject): Schema[] {
  return schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [schema]
}

function itemsOf(schema: OpenAPIV3_1.SchemaObject) {
  return 'items' in schema ? (schema.items as Schema) : undefined
}

/** The first of the types of a body: the others are converted to it. */
export function usualType({ type }: OpenAPIV3_1.SchemaObject) {
  return [type].flat()[0]
}

function plural(type: string) {
  return /^(object|string|integer|number|boolean)$/.test(type) ? `${type}s` : type
}

function unique(values: string[]) {
  return [...new Set(values)]
}
