import { readTerm, SearchProblem, splitWords, type Term } from './split-search.ts'

/** What a search says: terms that are all required, alternatives, and what must not be. */
export type Expression = { all: Expression[] } | { any: Expression[] } | { not: Expression } | { term: Term }

const maxTerms = 50
const maxDepth = 10

/**
 * Parses words and conditions such as `is:unresolved !level:info (release:1.* OR release:[a, b])`. Everything is required unless it stands
 * around OR. Quotes keep text together; a parenthesis within a word is text.
 */
export function parseExpression(search: string): Expression {
  const tokens = tokensOf(search)

  if (tokens.length > maxTerms) throw new SearchProblem(`The search has more than ${maxTerms} words and conditions`)
  const reader = { tokens, at: 0 }
  const expression = readAlternatives(reader, 0)

  if (reader.at < tokens.length) throw new SearchProblem('The search has a ) without its (. To search the sign, use quotes: ")"')

  return expression
}

interface Reader {
  tokens: string[]
  at: number
}

function readAlternatives(reader: Reader, depth: number): Expression {
  if (depth > maxDepth) throw new SearchProblem('The search has too many parentheses within each other')
  const alternatives = [readRequired(reader, depth)]

  while (reader.tokens[reader.at] === 'OR') {
    reader.at++
    alternatives.push(readRequired(reader, depth))
  }
  if (alternatives.length > 1 && alternatives.some(one => 'all' in one && one.all.length === 0)) {
    throw new SearchProblem('OR stands between two conditions. To search the word, use "OR"')
  }

  return alternatives.length === 1 ? alternatives[0]! : { any: alternatives }
}

function readRequired(reader: Reader, depth: number): Expression {
  const all: Expression[] = []

  for (let token = reader.tokens[reader.at]; token !== undefined && token !== 'OR' && token !== ')'; token = reader.tokens[reader.at]) {
    reader.at++
    if (token === '(' || token === '!(') all.push(readGroup(reader, token === '!(', depth))
    else if (token !== 'AND') all.push(readOne(token))
  }

  return all.length === 1 ? all[0]! : { all }
}

function readGroup(reader: Reader, isNegated: boolean, depth: number): Expression {
  const inner = readAlternatives(reader, depth + 1)

  if (reader.tokens[reader.at] !== ')') throw new SearchProblem('The search has a ( without its ). To search the sign, use quotes: "("')
  reader.at++

  return isNegated ? { not: inner } : inner
}

function readOne(token: string): Expression {
  const isNegated = /^!(?:[\w.-]+|tags\[[\w.-]+\]):/.test(token)
  const term = readTerm(isNegated ? token.slice(1) : token)

  return isNegated && term.key ? { not: { term } } : { term: isNegated ? readTerm(token) : term }
}

/** The words, and the parentheses around them. */
export function tokensOf(search: string) {
  const tokens: string[] = []
  let open = 0

  for (const word of splitWords(search)) {
    const signs = openingOf(word)
    const depth = signs.replace('!', '').length
    const rest = word.slice(signs.length)
    const closing = Math.min(unmatchedEnd(rest), open + depth)

    if (signs.startsWith('!')) tokens.push('!(', ...signs.slice(2))
    else tokens.push(...signs)
    if (rest.length > closing) tokens.push(rest.slice(0, rest.length - closing))
    for (let n = 0; n < closing; n++) tokens.push(')')
    open += depth - closing
  }

  return tokens
}

/** `((` of `((a`, and `!(` of `!(a`. */
function openingOf(word: string) {
  const start = word.startsWith('!(') ? 1 : 0
  let end = start

  while (word[end] === '(') end++

  return end === start ? '' : word.slice(0, end)
}

/** How many parentheses at the end of a word close groups: those that the word itself does not open. `pay()` has none. */
function unmatchedEnd(word: string) {
  let [depth, end] = [0, 0]

  for (const sign of word.startsWith('"') ? '' : word) if (sign === '(') depth++
  while (end < word.length && word[word.length - 1 - end] === ')') end++

  return Math.max(0, end - depth)
}
