import Type from 'typebox'

type Schema = Record<string, unknown>

/** The response of a route that sends a file. */
export function Download(...mediaTypes: string[]) {
  return Type.Unsafe<Buffer>({ type: 'string', format: 'binary', 'x-media-types': mediaTypes })
}

/** Rewrites what TypeBox, or a route, writes otherwise than OpenAPI 3.1: tuples and files. */
export function describeResponse({ 'x-media-types': mediaTypes, ...shape }: Schema): Schema {
  if (!Array.isArray(mediaTypes)) return describeTuples(shape)

  return { content: Object.fromEntries(mediaTypes.map(type => [type, { schema: shape }])) }
}

/** JSON Schema 2020-12 lists the items of a tuple as `prefixItems`. */
function describeTuples<Given>(schema: Given): Given {
  if (Array.isArray(schema)) return schema.map(describeTuples) as Given
  if (typeof schema !== 'object' || schema === null) return schema
  const described = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, describeTuples(value)]))
  const { items, additionalItems, ...rest } = described

  return (Array.isArray(items) ? { ...rest, prefixItems: items, items: additionalItems ?? false } : described) as Given
}
