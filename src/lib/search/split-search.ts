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
  /** Of `level:[error, fatal]`. */
  values?: string[]
}

/** The words and conditions of a search that has no parentheses. */
export function splitSearch(search: string): Term[] {
  return splitWords(search).map(readTerm)
}

/** Splits a search at white space. Quotes and lists stay together: `release:"shop 1.0"`, `level:[error, fatal]`. */
export function splitWords(search: string) {
  const words: string[] = []
  let [word, isQuoted, isList] = ['', false, false]

  for (const sign of search) {
    if (sign === '"') isQuoted = !isQuoted
    else if (sign === '[' && !isQuoted && word.endsWith(':')) isList = true
    else if (sign === ']' && !isQuoted) isList = false
    if (/\s/.test(sign) && !isQuoted && !isList) {
      if (word) words.push(word)
      word = ''
    } else word += sign
  }
  if (isQuoted) throw new SearchProblem('The search has a quotation mark without its end')
  if (isList) throw new SearchProblem('The search has a [ without its ]')

  return word ? [...words, word] : words
}

/** A colon that ends a word, or is followed by another or by two slashes, is part of the text: `TypeError:`, `std::bad_alloc`, `https://…`. */
export function readTerm(text: string): Term {
  const end = text.search(/[:"]/)
  const [key, given] = [text.slice(0, end), text.slice(end + 1)]
  const value = given.replaceAll('"', '')
  const isCondition = text[end] === ':' && /^!?(?:[\w.-]+|tags\[[\w.-]+\])$/.test(key) && !/^(?::|\/\/)/.test(value)

  if (!isCondition) return { value: text.replaceAll('"', ''), isQuoted: text.startsWith('"') }
  const list = /^\[(.*)\]$/s.exec(given)

  return { key, value, isQuoted: given.startsWith('"'), ...(list && { values: valuesIn(list[1]!) }) }
}

function valuesIn(list: string) {
  return (list.match(/(?:[^,"]|"[^"]*")+/g) ?? []).map(value => value.trim().replaceAll('"', '')).filter(Boolean)
}

export function quote(value: string) {
  return /\s/.test(value) ? `"${value}"` : value
}
