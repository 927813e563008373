import { similarName } from './similar-name.ts'
import { quote, SearchProblem, type Term } from './split-search.ts'

/** Refuses words that other searches combine conditions with, which would be searched as text here. In quotes they are text. */
export function refuseOperators({ key, value, isQuoted }: Term) {
  if (key || isQuoted) return
  if (value === 'AND') throw new SearchProblem('Leave out AND: errors match all words and conditions. To search the word, use "AND"')
  if (value === 'OR') throw new SearchProblem('OR is not supported: errors match all words and conditions. To search the word, use "OR"')
  if (/^[()]+$|^\(+!?[\w.-]+:/.test(value))
    throw new SearchProblem(`Parentheses are not supported: errors match all words and conditions. To search text, use quotes: "${value}"`)
}

/** Names of conditions elsewhere, by what to say about them. */
const foreign: Record<string, (value: string) => string> = {
  status: value => `Did you mean is:${quote(value)}?`,
  state: value => `Did you mean is:${quote(value)}?`,
  times: notCounted,
  timesSeen: notCounted,
  events: notCounted,
  count: notCounted
}

/** The problem of a condition that is likely misspelt, and what would be right; undefined for other conditions. */
export function describeMistake(key: string, value: string, names: Record<string, string>) {
  const advise = Object.hasOwn(foreign, key) ? foreign[key] : undefined
  const similar = similarName(key, Object.keys(names))

  if (advise) return `Unknown condition ${key}. ${advise(value)}`
  if (similar) return `Unknown condition ${key}. Did you mean ${names[similar]}:${quote(value)}?`
  if (/^[<>]/.test(value)) return `${key}:${value} is not supported: only first-seen and last-seen take < and >.`

  return undefined
}

function notCounted() {
  return 'To see what occurs most, sort by events.'
}
