import { isDeepStrictEqual } from 'node:util'
import type { FastifyServerOptions } from 'fastify'
import type Type from 'typebox'
import { Value } from 'typebox/value'
import { buildSerializer } from '#api/serialization.ts'

/** Short responses that were checked before: many are the same, such as those to callers without permission. */
const checked = new Set<string>()
const short = 1000

/**
 * Serializes as in production, and fails when a response does not match its schema, or when the schema
 * filtered a member out: a route has to return exactly what it declares.
 */
export const checkResponses: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: {
    compilersFactory: {
      buildSerializer(externalSchemas, options) {
        const compile = buildSerializer(externalSchemas, options)

        return route => {
          const serialize = compile(route)

          return payload => {
            const text = serialize(payload)
            const response = `${route.method} ${route.url} ${route.httpStatus} ${text}`

            if (!checked.has(response)) check(route.schema as Type.TSchema, JSON.parse(JSON.stringify(payload)), JSON.parse(text), response)
            if (response.length < short) checked.add(response)

            return text
          }
        }
      }
    }
  }
}

function check(schema: Type.TSchema, payload: unknown, sent: unknown, response: string) {
  if (!Value.Check(schema, sent))
    throw new Error(`${response}\ndoes not match its schema: ${JSON.stringify(Value.Errors(schema, sent)[0])}`)
  if (!isDeepStrictEqual(sent, payload)) throw new Error(`${response}\ndiffers from what the route returned: ${JSON.stringify(payload)}`)
}
