import { InvalidInput } from '#lib/refusals.ts'

/** A search that cannot be read. The message says what is wrong, and what would be right. */
export class SearchProblem extends InvalidInput {
  override code = 'invalid_search'
}

/** A word of a search, or a condition such as `level:error`. */
export interface Term {
  key?: string
  value: string
  isQuoted?: boolean
}

/** Splits a search at white space. Quotes keep text together: `release:"shop 1.0"`. */
export function splitSearch(search: string): Term[] {
  if ((search.split('"').length - 1) % 2 === 1) throw new SearchProblem('The search has a quotation mark without its end')

  return piecesOf(search).map(readTerm)
}

/** The terms as they are written. */
export function piecesOf(search: string) {
  return search.match(/(?:[^\s"]|"[^"]*")+/g) ?? []
}

/** A colon that ends a word, or is followed by another or by a slash, is part of the text: `TypeError:`, `std::bad_alloc`, `https://…`. */
function readTerm(text: string): Term {
  const end = text.search(/[:"]/)
  const [key, value] = [text.slice(0, end), text.slice(end + 1).replaceAll('"', '')]
  const isCondition = text[end] === ':' && /^!?(?:[\w.-]+|tags\[[\w.-]+\])$/.test(key) && !/^[:/]/.test(value)

  return isCondition ? { key, value } : { value: text.replaceAll('"', ''), isQuoted: text.startsWith('"') }
}

export function quote(value: string) {
  return /\s/.test(value) ? `"${value}"` : value
}
