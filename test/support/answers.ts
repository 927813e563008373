import { isDeepStrictEqual } from 'node:util'
import type Type from 'typebox'
import { Value } from 'typebox/value'
import type { WriterOf } from '../../src/http/serialization.ts'

/** Writes an answer as it is written outside of tests, unless it is not what its route promises, or tells more than that. */
export const writeStrictly: WriterOf =
  ({ schema, method, url, httpStatus }) =>
  answer => {
    const text = JSON.stringify(answer)
    const told = JSON.parse(text)
    const promised = schema as Type.TSchema
    const [mistake] = Value.Errors(promised, told)

    if (mistake) throw new Error(`${method} ${url} answers ${httpStatus} with something else than it promises: ${JSON.stringify(mistake)}`)
    if (!isDeepStrictEqual(Value.Clean(promised, structuredClone(told)), told))
      throw new Error(`${method} ${url} answers ${httpStatus} with more than it promises: ${text}`)

    return text
  }
