import { filtered } from './credentials.ts'

export type Span = [start: number, end: number]

export const nowhere: Span = [0, 0]

const ending = /[\s&;,"'<>)}\]|]/g
const nothing = /^(?:none|null|nil|undefined|true|false|\*+)$/i

/** A value in quotes, to its closing one, which has as many backslashes before it as the opening one. */
export function quotedValue(text: string, start: number, quote: string): Span {
  if (text.startsWith(filtered, start)) return nowhere
  const end = endOfQuoted(text, start, quote)

  return end - start < 20 && nothing.test(text.slice(start, end)) ? nowhere : [start, end]
}

/** A value without quotes, to where white space or a sign ends it, when it is one that `isSecret`. */
export function bareValue(text: string, start: number, isSecret: (value: string) => boolean): Span {
  // The beginning decides, so that a long value is not read again for every sign within it.
  const beginning = text.slice(start, start + 64)
  const value = beginning.slice(0, endOfBare(beginning, 0))

  if (value === '' || nothing.test(value) || !isSecret(value)) return nowhere
  let end = endOfBare(text, start)

  // These belong to the quote that ends it.
  while (end > start && text[end - 1] === '\\') end--

  return [start, end]
}

/** A list or an object, to its closing bracket. */
export function bracketedValue(text: string, start: number): Span {
  let depth = 0

  for (let n = start; n < text.length; n++) {
    const sign = text[n]!

    if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return [start, n + 1]
  }

  return [start, text.length]
}

/** The rest of a line, as of a header. */
export function lineValue(text: string, start: number): Span {
  for (let n = start; n < text.length; n++) if ('\r\n"\''.includes(text[n]!)) return [start, n]

  return [start, text.length]
}

function endOfBare(text: string, start: number) {
  ending.lastIndex = start
  let end = ending.exec(text)?.index

  // What was filtered within it already does not end it.
  while (end !== undefined && text.startsWith(filtered, end + 1 - filtered.length)) end = ending.exec(text)?.index

  return end ?? text.length
}

function endOfQuoted(text: string, start: number, quote: string) {
  const sign = quote.at(-1)!

  for (let at = text.indexOf(sign, start); at !== -1; at = text.indexOf(sign, at + 1)) {
    let backslashes = 0

    while (at - backslashes > start && text[at - backslashes - 1] === '\\') backslashes++
    if (backslashes <= quote.length - 1) return at - backslashes
  }

  return text.length
}
