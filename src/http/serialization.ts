import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']>

/** Makes a route's serializer when it answers for the first time: most routes of a process are never called. Part of the server's options. */
export const lazySerializers: FastifyServerOptions = {
  schemaController: {
    compilersFactory: {
      buildSerializer: ((...given: Parameters<Factory>) => {
        const compile = (SerializerSelector() as Factory)(...given)

        return route => {
          let serialize: ReturnType<typeof compile> | undefined

          return data => {
            serialize ??= compile(route)

            return serialize(data)
          }
        }
      }) as Factory
    }
  }
}
