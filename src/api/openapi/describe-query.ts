import type { OpenAPIV3_1 } from 'openapi-types'
import { Check } from 'typebox/value'
import { coerce } from '../parameters/coerce.ts'

/** Adds how a query parameter is written: `ids=1,2`, `attributes[key]=value`, and `page=` where an empty one counts as missing. */
export function describeQuery(parameter: OpenAPIV3_1.ParameterObject) {
  if (parameter.in !== 'query') return parameter
  const schema = parameter.schema as { type?: string }

  return {
    ...parameter,
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
    ...(mayBeEmpty(schema) && { allowEmptyValue: true })
  }
}

function mayBeEmpty(schema: { type?: string }) {
  const value = coerce(schema, '')

  return value !== '' && (value === undefined || Check(schema, value))
}
