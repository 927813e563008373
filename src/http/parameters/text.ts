import { BadParameter } from '../problems/problems.ts'

const deepest = 100

/**
 * Refuses what no later step can take: a NUL or half a character in a text, which Postgres throws out,
 * and nesting so deep that reading it would use up the stack.
 */
export function checkText(given: unknown, name = 'body', depth = 0): void {
  if (typeof given === 'string' && !isClean(given)) throw new BadParameter(`${name} is invalid`)
  if (typeof given !== 'object' || given === null) return
  if (depth === deepest) throw new BadParameter(`${name} is nested too deeply`)

  for (const [member, value] of Object.entries(given)) {
    if (!isClean(member)) throw new BadParameter(`${name} is invalid`)
    checkText(value, depth === 0 ? member : name, depth + 1)
  }
}

/** The entries of a query or a form. */
export function decodeEntries(text: string) {
  const pairs = text.split('&').filter(pair => pair !== '')

  return pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=')

    return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
  })
}

function decode(text: string) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new BadParameter('The parameters are not well encoded')
  }
}

function isClean(text: string) {
  return !text.includes('\0') && text.isWellFormed()
}
