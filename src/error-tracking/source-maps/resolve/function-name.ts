import type { Position } from './script-map.ts'

/** As minifiers name things; what has a longer name has kept its own. */
const shortName = /^[\w$]{1,3}$/

/** The part of a reported name that a minifier may have made up: of `new t`, `t.pay` and `async t` it is `t`. */
export function minifiedPart(reported: string) {
  const [, name = ''] = /^(?:(?:async|new) )*([\w$]+)(?:\.|$)/.exec(reported) ?? []

  return shortName.test(name) ? name : ''
}

/**
 * What a function was called before it was built: by its declaration, or else by the name that its caller called. `reported` is
 * what the engine said, which stands where no minifier was at work.
 */
export function functionName(reported: string, position: Position, calledName: string | undefined) {
  const minified = minifiedPart(reported)

  if (!minified) return reported
  if (position.functionName) return reported.replace(minified, () => position.functionName!)
  const method = reported.slice(reported.indexOf(minified) + minified.length + 1)

  // A method keeps its name; whose it is, nobody can tell.
  return method || calledName || reported
}
