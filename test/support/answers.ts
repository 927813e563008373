import { isDeepStrictEqual } from 'node:util'
import type Type from 'typebox'
import { Value } from 'typebox/value'
import type { WriterOf } from '../../src/http/serialization.ts'

/** Answers that were looked at. Many are the same, above all those to callers who may not. */
const seen = new Set<string>()

/** Writes an answer as it is written outside of tests, unless it is not what its route promises, or tells more than that. */
export const writeStrictly: WriterOf =
  ({ schema, method, url, httpStatus }) =>
  answer => {
    const text = JSON.stringify(answer)
    const kind = `${method} ${url} ${httpStatus} ${text}`

    if (seen.has(kind)) return text
    const told = JSON.parse(text)
    const promised = schema as Type.TSchema

    if (!Value.Check(promised, told))
      throw new Error(`${kind}\nis not what is promised: ${JSON.stringify(Value.Errors(promised, told)[0])}`)
    if (!isDeepStrictEqual(Value.Clean(promised, structuredClone(told)), told)) throw new Error(`${kind}\nis more than is promised`)
    seen.add(kind)

    return text
  }
