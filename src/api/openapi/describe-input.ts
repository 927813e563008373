type Schema = Record<string, unknown>

const time = { anyOf: [{ format: 'date' }, { format: 'date-time' }, { maxLength: 0 }] }
const safeInteger = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Adds the rules of `Time` and `coerce` to a schema of parameters, for generated clients and tests. */
export function describeInput<Given>(schema: Given): Given {
  if (Array.isArray(schema)) return schema.map(describeInput) as Given
  if (typeof schema !== 'object' || schema === null) return schema
  const { 'x-time': isTime, ...rest } = schema as Schema
  const described = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, describeInput(value)]))

  return { ...([rest.type].flat().includes('integer') && safeInteger), ...described, ...(isTime === true && time) } as Given
}
