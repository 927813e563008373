import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasMoreValues } from '#lib/json-depth.ts'
import { InvalidInput } from '#lib/refusals.ts'

/** A body of many short values takes the longest of all: a mebibyte of them held up everybody for half a second. */
const maxValues = 20_000

type Done = (error: Error | null, body?: unknown) => void

/** Parses bodies of JSON. Members that would reach an object's prototype are removed. */
export function jsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('remove', 'remove')

  return (request: FastifyRequest, text: string, done: Done) => {
    if (hasMoreValues(text, maxValues)) return done(new InvalidInput(`The body has more than ${maxValues} values`))

    return parse(request, text, (error, value) => done(error && new InvalidInput('The body is not valid JSON'), value))
  }
}
