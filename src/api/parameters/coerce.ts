import Type from 'typebox'
import { Check } from 'typebox/value'

/** The members of a JSON schema that decide a coercion. */
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  'x-comma-separated'?: true
}

/** An array that clients may also send as `a,b`, as they may every array of integers. */
export function CommaSeparated<Item extends Type.TSchema>(item: Item, options: Type.TArrayOptions = {}) {
  return Type.Array(item, { ...options, 'x-comma-separated': true })
}

/**
 * Coerces a client's value to the type in the schema: `"5"` to an integer, `"on"` to a boolean. A value that cannot be
 * coerced is returned unchanged, so that validation rejects it. Undefined means that the parameter counts as missing.
 */
export function coerce(schema: Schema, given: unknown): unknown {
  if (schema.anyOf) return coerceToAny(schema.anyOf, given)
  if (schema.allOf) return schema.allOf.reduce((value, part) => coerce(part, value), given)
  if (schema.enum) return coerceToOne(schema.enum, given)
  if (schema.const !== undefined) return coerceToOne([schema.const], given)
  const coercion = coercions.get(schema.type)

  if (!coercion) return given
  // Some clients send null for optional parameters.
  if (given === null && schema.type !== 'null') return undefined

  return coercion(given, schema)
}

const coercions = new Map<unknown, (given: unknown, schema: Schema) => unknown>(
  Object.entries({
    boolean: toBoolean,
    integer: toInteger,
    number: toNumber,
    string: given => (typeof given === 'number' ? String(given) : given),
    null: given => (given === '' ? null : given),
    array: toList,
    object: toObject
  })
)

function coerceToAny(schemas: Schema[], given: unknown) {
  for (const schema of schemas.filter(schema => isOfType(schema, given))) {
    const value = coerce(schema, given)

    if (Check(schema, value)) return value
  }
  for (const schema of schemas) {
    const value = coerce(schema, given)

    if (value !== undefined && Check(schema, value)) return value
  }

  return given === null ? undefined : refuseUnsafe(given)
}

/** Whether the value already has the schema's type and needs no coercion. */
function isOfType({ type }: Schema, given: unknown) {
  if (type === undefined) return true
  if (given === null) return type === 'null'
  if (Array.isArray(given)) return type === 'array'

  return (type === 'integer' ? 'number' : type) === typeof given
}

function coerceToOne(values: unknown[], given: unknown) {
  if (given === null && !values.includes(null)) return undefined

  return values.includes(given) ? given : (values.find(value => String(value) === given) ?? given)
}

const booleans = new Map<string, boolean | undefined>([
  ...['true', '1', 't', 'yes', 'y', 'on'].map(text => [text, true] as const),
  ...['false', '0', 'f', 'no', 'n', 'off'].map(text => [text, false] as const),
  ['', undefined]
])

function toBoolean(given: unknown) {
  // Not for objects: one with a member `toString` cannot be converted.
  if (typeof given === 'object') return given
  const text = String(given).toLowerCase()

  return booleans.has(text) ? booleans.get(text) : given
}

/** Unsafe integers become strings, which validation rejects. */
function refuseUnsafe(given: unknown) {
  return Number.isInteger(given) && !Number.isSafeInteger(given) ? String(given) : given
}

function toInteger(given: unknown) {
  if (given === '') return undefined
  if (typeof given === 'number') return refuseUnsafe(given)

  return typeof given === 'string' && /^[+-]?\d{1,16}$/.test(given) && Number.isSafeInteger(Number(given)) ? Number(given) : given
}

function toNumber(given: unknown) {
  if (given === '') return undefined

  return typeof given === 'string' && /^[+-]?\d{1,50}(\.\d{1,50})?$/.test(given) ? Number(given) : given
}

function toList(given: unknown, schema: Schema) {
  if (typeof given === 'object' && !Array.isArray(given)) return given
  const items = given === '' ? [] : [given].flat()
  const parts = isCommaSeparated(schema) ? items.flatMap(split) : items

  return parts.map(item => coerce(schema.items ?? {}, item) ?? item)
}

function isCommaSeparated({ items, 'x-comma-separated': isMarked }: Schema) {
  return isMarked || items?.type === 'integer'
}

function split(item: unknown) {
  if (typeof item !== 'string') return [item]
  const parts = item.split(',').map(part => part.trim())

  return parts.filter(part => part !== '')
}

function toObject(given: unknown, { properties = {}, patternProperties = {} }: Schema) {
  if (typeof given !== 'object' || Array.isArray(given)) return given
  const [others] = Object.values(patternProperties)
  const members = Object.entries(given as object).map(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : others

    return [name, schema ? coerce(schema, value) : value]
  })
  const defaults = Object.entries(properties).map(([name, schema]) => [name, structuredClone(schema.default)])

  return Object.fromEntries([...defaults, ...members.filter(([, value]) => value !== undefined)].filter(([, value]) => value !== undefined))
}
