import type { OriginalPosition } from './script-map.ts'

/** Minifiers use names of up to three characters. */
const shortName = /^[\w$]{1,3}$/

/** The part of a reported name that a minifier may have made: `t` in `new t`, `t.pay` and `async t`. */
export function minifiedPart(reported: string) {
  const [, name = ''] = /^(?:(?:async|new) )*([\w$]+)(?:\.|$)/.exec(reported) ?? []

  return shortName.test(name) ? name : ''
}

/** A function's original name: from its declaration, else from the call in the caller's source. Long names are kept. */
export function functionName(reported: string, position: OriginalPosition, nameInCaller: string | undefined) {
  const minified = minifiedPart(reported)

  if (!minified) return reported
  if (position.functionName) return reported.replace(minified, () => position.functionName!)
  const method = reported.slice(reported.indexOf(minified) + minified.length + 1)

  // Minifiers keep method names; the original name of the object is unknown.
  return method || nameInCaller || reported
}
