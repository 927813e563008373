import { tokensOf } from '#lib/search/parse-expression.ts'
import { quote, readTerm, SearchProblem } from '#lib/search/split-search.ts'

/** Conditions of the search that have a select of their own. */
const names = ['environment', 'release'] as const
type Picks = Record<(typeof names)[number], string>

/** The picked values, and the search without them. Alternatives and a search that cannot be read are left whole. */
export function picksOf(search: string): Picks & { rest: string } {
  const picks = { environment: '', release: '' }
  const tokens = readTokens(search)

  if (!tokens || hasAlternatives(tokens)) return { ...picks, rest: search }
  const rest = tokens.filter(({ text, depth }) => {
    const { key, value, values } = readTerm(text)
    const name = depth === 0 && !values ? names.find(one => one === key && !picks[one]) : undefined

    if (name) picks[name] = value

    return !name
  })

  return { ...picks, rest: rest.reduce(append, '') }
}

export function withPicks(search: string, picks: Picks) {
  const picked = names.filter(name => picks[name]).map(name => `${name}:${quote(picks[name])}`)

  if (picked.length === 0) return search

  return [hasAlternatives(readTokens(search) ?? []) ? `(${search})` : search, ...picked].filter(Boolean).join(' ')
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

interface Token {
  text: string
  /** How many parentheses are open around it. */
  depth: number
}

/** Undefined when the search cannot be read. */
function readTokens(search: string): Token[] | undefined {
  let depth = 0

  try {
    return tokensOf(search).map(text => {
      if (text === ')') depth--
      const token = { text, depth }

      if (text === '(' || text === '!(') depth++

      return token
    })
  } catch (error) {
    if (error instanceof SearchProblem) return undefined

    throw error
  }
}

function hasAlternatives(tokens: Token[]) {
  return tokens.some(({ text, depth }) => text === 'OR' && depth === 0)
}

function append(search: string, { text }: Token) {
  return search === '' || search.endsWith('(') || text === ')' ? search + text : `${search} ${text}`
}
