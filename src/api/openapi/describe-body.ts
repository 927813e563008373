import { Check } from 'typebox/value'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  required?: string[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  [keyword: string]: unknown
}

const integer = '[+-]?\\d{1,16}'
const texts = {
  integer,
  integers: `(${integer}(, ?${integer})*)?`,
  number: '[+-]?\\d{1,50}(\\.\\d{1,50})?',
  boolean: '[01tfynTFYN]|true|false|yes|no|on|off'
}

/**
 * Adds what `coerce` accepts beside the types of a body's schema. The usual type stands first. The added types are those
 * that clients send: null for what is missing, numbers for texts, texts for numbers and booleans, one value for a list.
 */
export function describeBody(schema: Schema, isOptional = false): Schema {
  if (schema.anyOf) return describeUnion(schema, schema.anyOf, isOptional)
  if (schema.allOf) return { ...schema, allOf: schema.allOf.map(part => describeBody(part)) }
  if (schema.enum) return describeChoice(schema, isOptional)
  if (schema.const !== undefined) return describeConstant(schema, isOptional)
  const described = describeType(schema, isOptional)

  return isOptional && described.type ? { ...described, type: [...[described.type].flat(), 'null'] } : described
}

function describeUnion(schema: Schema, parts: Schema[], isOptional: boolean): Schema {
  const hasNull = parts.some(isNull)
  const described = parts.map(part => (isNull(part) ? describeNull(parts) : describeBody(part)))

  return { ...schema, anyOf: isOptional && !hasNull ? [...described, { type: 'null' }] : described }
}

function isNull({ type }: Schema) {
  return type === 'null'
}

/** An empty text counts as null, unless it counts as a text. */
function describeNull(parts: Schema[]) {
  const isText = parts.some(({ type, minLength, pattern }) => type === 'string' && !minLength && !pattern)

  return isText ? { type: 'null' } : { type: ['null', 'string'], maxLength: 0 }
}

/** Without the type, which texts and null do not have. */
function describeChoice({ enum: values = [], type: _, ...rest }: Schema, isOptional: boolean): Schema {
  return { ...rest, enum: describeValues(values, isOptional) }
}

function describeConstant({ const: only, type, ...rest }: Schema, isOptional: boolean): Schema {
  const values = describeValues([only], isOptional)

  return values.length > 1 ? { ...rest, enum: values } : { ...rest, type, const: only }
}

function describeValues(values: unknown[], isOptional: boolean) {
  const texts = values.filter(value => typeof value !== 'string' && value !== null).map(String)

  return [...new Set([...values, ...texts, ...(isOptional ? [null] : [])])]
}

function describeType(schema: Schema, isOptional: boolean): Schema {
  switch (schema.type) {
    case 'object':
      return describeObject(schema)
    case 'array':
      return describeList(schema)
    case 'integer':
    case 'number':
      return { ...schema, type: [schema.type, 'string'], pattern: patternOf(texts[schema.type], isOptional) }
    case 'boolean':
      return { ...schema, type: ['boolean', 'string', 'integer'], pattern: patternOf(texts.boolean, isOptional), minimum: 0, maximum: 1 }
    default:
      return schema.type === 'string' && mayBeNumber(schema) ? { ...schema, type: ['string', 'number'] } : schema
  }
}

/** An empty text counts as missing. */
function patternOf(text: string, isOptional: boolean) {
  return `^(${text})${isOptional ? '?' : ''}$`
}

function mayBeNumber({ pattern, format, 'x-time': isTime }: Schema) {
  return !format && !isTime && (!pattern || Check({ type: 'string', pattern }, '0'))
}

function describeObject({ properties, patternProperties, required = [], ...rest }: Schema): Schema {
  const describeMembers = (members: Record<string, Schema>) =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, describeBody(member, !required.includes(name))]))

  return {
    ...rest,
    ...(required.length > 0 && { required }),
    ...(properties && { properties: describeMembers(properties) }),
    ...(patternProperties && { patternProperties: describeMembers(patternProperties) })
  }
}

/** A single value is a list of one, and an empty text an empty list. */
function describeList(schema: Schema): Schema {
  const { items = {} } = schema

  if (items.type === 'integer') {
    const integers = { type: ['integer', 'string'], pattern: `^${texts.integers}$` }

    return { ...schema, type: ['array', ...integers.type], pattern: integers.pattern, items: { ...items, ...integers } }
  }
  const described = describeBody(items)
  const single = [described.type ?? (items.enum ? 'string' : [])].flat().filter(type => type !== 'object' && type !== 'array')

  return {
    ...schema,
    items: described,
    type: ['array', ...new Set([...single, 'string'])],
    ...(single.length === 0 && { maxLength: 0 })
  }
}
