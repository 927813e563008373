import Type from 'typebox'

type Schema = Record<string, unknown>

/** The response of a route that sends a file. */
export function Download(...mediaTypes: string[]) {
  return Type.Unsafe<Buffer>({ type: 'string', format: 'binary', 'x-media-types': mediaTypes })
}

/** Rewrites what OpenAPI has no words for, or few of its tools read: files and tuples. */
export function describeResponse({ 'x-media-types': mediaTypes, ...shape }: Schema): Schema {
  if (!Array.isArray(mediaTypes)) return describeTuples(shape)

  return { content: Object.fromEntries(mediaTypes.map(type => [type, { schema: shape }])) }
}

/** A list of fixed length: TypeBox writes `items` as a list, which is no longer JSON Schema, and few tools read `prefixItems`. */
function describeTuples<Given>(schema: Given): Given {
  if (Array.isArray(schema)) return schema.map(describeTuples) as Given
  if (typeof schema !== 'object' || schema === null) return schema
  const described = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, describeTuples(value)]))
  const { items, additionalItems: _, ...rest } = described

  return (Array.isArray(items) ? { ...rest, items: { anyOf: items }, maxItems: items.length } : described) as Given
}
