import { piecesOf, quote, SearchProblem, splitSearch } from '#lib/search/split-search.ts'

/** Conditions of the search that have a select of their own. */
const names = ['environment', 'release'] as const
type Picks = Record<(typeof names)[number], string>

/** The picked values, and the search without them. */
export function picksOf(search: string): Picks & { rest: string } {
  const picks = { environment: '', release: '' }
  const rest: string[] = []

  for (const [n, { key, value }] of termsOf(search).entries()) {
    const name = names.find(one => one === key)

    if (name) picks[name] = value
    else rest.push(piecesOf(search)[n]!)
  }

  return { ...picks, rest: rest.join(' ') }
}

export function withPicks(search: string, picks: Picks) {
  return [search, ...names.filter(name => picks[name]).map(name => `${name}:${quote(picks[name])}`)].filter(Boolean).join(' ')
}

/**
 * The search after the form was sent: what was picked replaces the condition in the text, unless the text has another one than before.
 * Undefined when nothing was picked.
 */
export function applyPicks(search: string, given: unknown) {
  const { was = '', ...picked } = given as Partial<Picks> & { was?: string }
  const [before, { rest, ...after }] = [picksOf(String(was)), picksOf(search)]

  if (names.every(name => picked[name] === undefined)) return undefined
  const choose = (name: keyof Picks) => (String(picked[name] ?? before[name]) === before[name] ? after[name] : String(picked[name]))

  return withPicks(rest, { environment: choose('environment'), release: choose('release') })
}

/** A search that cannot be read has no conditions. */
function termsOf(search: string) {
  try {
    return splitSearch(search)
  } catch (error) {
    if (error instanceof SearchProblem) return []

    throw error
  }
}
