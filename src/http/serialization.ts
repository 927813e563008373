import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']>

type Serialize = ReturnType<ReturnType<Factory>>

/** By their schemas: many routes answer alike, above all with what went wrong. */
const known = new Map<string, Serialize>()

/** Makes a route's serializer when it answers for the first time: most routes of a process are never called. Part of the server's options. */
export const lazySerializers: FastifyServerOptions = {
  schemaController: {
    compilersFactory: {
      buildSerializer: ((...given: Parameters<Factory>) => {
        const compile = (SerializerSelector() as Factory)(...given)

        return route => {
          let serialize: Serialize | undefined

          return data => {
            serialize ??= serializerOf(route.schema, () => compile(route))

            return serialize(data)
          }
        }
      }) as Factory
    }
  }
}

function serializerOf(schema: unknown, compile: () => Serialize) {
  const key = JSON.stringify(schema)
  const serialize = known.get(key) ?? compile()

  known.set(key, serialize)

  return serialize
}
