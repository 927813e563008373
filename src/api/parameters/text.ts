import { InvalidInput } from '#lib/refusals.ts'

const maxDepth = 100
const maxPairs = 1000

/**
 * Rejects values that Postgres or recursion cannot handle: NUL characters, lone surrogates and nesting that would
 * exhaust the stack.
 */
export function validateText(given: unknown, name = 'body', depth = 0): void {
  if (typeof given === 'string' && !isStorable(given)) throw new InvalidInput(`${name} is invalid`)
  if (typeof given !== 'object' || given === null) return
  if (depth === maxDepth) throw new InvalidInput(`${name} is nested too deeply`)

  for (const [member, value] of Object.entries(given)) {
    if (!isStorable(member)) throw new InvalidInput(`${name} is invalid`)
    validateText(value, depth === 0 ? member : name, depth + 1)
  }
}

/** Parses `application/x-www-form-urlencoded` text. */
export function parseUrlEncoded(text: string) {
  const pairs = text.split('&', maxPairs + 1).filter(pair => pair !== '')

  if (pairs.length > maxPairs) throw new InvalidInput(`At most ${maxPairs} parameters can be given`)

  return pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=')

    return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
  })
}

function decode(text: string) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new InvalidInput('The parameters are not well encoded')
  }
}

/** Whether Postgres can store it: neither NUL characters nor lone surrogates. */
export function isStorable(text: string) {
  return !text.includes('\0') && text.isWellFormed()
}
