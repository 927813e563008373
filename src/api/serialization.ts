import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Serialize = (payload: unknown) => string
type BuildSerializer = ReturnType<typeof SerializerSelector>

/** Routes share the schemas of their problems. */
const compiled = new WeakMap<object, Serialize>()

/** Compiles a response's serializer on first use, because most routes of a process are never called. */
export const buildSerializer: BuildSerializer = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options)

  return route => {
    const schema = route.schema as object
    const compileOnce = () => {
      const serialize = compiled.get(schema) ?? (compile(route) as Serialize)

      compiled.set(schema, serialize)

      return serialize
    }
    let serialize: Serialize | undefined

    return payload => {
      serialize ??= compileOnce()

      return serialize(payload)
    }
  }
}

export const lazySerializers: FastifyServerOptions['schemaController'] = { compilersFactory: { buildSerializer } }
