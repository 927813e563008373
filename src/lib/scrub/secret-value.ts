import { redacted } from './redacted.ts'

export type Span = [start: number, end: number]

export const noSpan: Span = [0, 0]

const terminator = /[\s&;,"'<>)}\]|]/g
const placeholder = /^(?:none|null|nil|undefined|true|false|\*+|%[sdrif]|%\(\w{1,64}\)[sdrif]|\{\w{0,64}\})$/i

/** A quoted value. The closing quote has as many backslashes as the opening one. */
export function quotedValue(text: string, start: number, quote: string): Span {
  if (text.startsWith(redacted, start)) return noSpan
  const end = quotedEnd(text, start, quote)

  return end - start < 20 && placeholder.test(text.slice(start, end)) ? noSpan : [start, end]
}

/** An unquoted value, up to white space or punctuation, if it `isSecret`. */
export function bareValue(text: string, start: number, isSecret: (value: string) => boolean): Span {
  // Tests the start only: testing all of a long value at every sign in it would be quadratic.
  const beginning = text.slice(start, start + 64)
  const unescaped = beginning.split('\\u00', 1)[0]!
  const value = unescaped.slice(0, backslashesBefore(unescaped, bareEnd(unescaped, 0)))

  // A placeholder within it is no sign of a secret: a second pass would judge otherwise than the first.
  if (value === '' || placeholder.test(value) || !isSecret(value.replaceAll(redacted, ''))) return noSpan

  // Backslashes belong to the escaped quote after the value.
  return [start, Math.max(start, backslashesBefore(text, bareEnd(text, start)))]
}

/** A list or an object, up to its closing bracket. */
export function bracketedValue(text: string, start: number): Span {
  let depth = 0

  for (let n = start; n < text.length; n++) {
    const sign = text[n]!

    if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return [start, n + 1]
  }

  return [start, text.length]
}

/** The rest of the line, for headers, up to the quote that closes it; parameters within it may be quoted. */
export function lineValue(text: string, start: number): Span {
  let isParameter = false

  for (let n = start; n < text.length; n++) {
    const sign = text[n]!

    if (sign === '\r' || sign === '\n') return [start, n]
    if (sign !== '"' && sign !== "'") continue
    if (!isParameter && !isAfterEquals(text, n)) return [start, backslashesBefore(text, n)]
    isParameter = !isParameter
  }

  return [start, text.length]
}

/** Whether an unquoted value looks generated: by digits, symbols, mixed case or length. Prose does not. */
export function looksGenerated(value: string) {
  return value.length >= 20 || /\d|[^\w.,;!?:/+=()-]|[a-z][A-Z]/.test(value)
}

/** Whether a value is part of encoded text, in which it may end sooner: it is scrubbed once it is decoded. */
export function isEncoded(value: string) {
  return /%[0-9a-f]{2}|\+/i.test(value)
}

/** Whether a value can only be generated: error codes and signatures of functions are not. */
export function looksRandom(value: string) {
  return (
    value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/[\s()<>[\]{}]/.test(value) && !/^[A-Z_-]+\d{0,8}$/.test(value)
  )
}

function isAfterEquals(text: string, quote: number) {
  const at = backslashesBefore(text, quote)

  return text[at - 1] === '=' || /^%3d$/i.test(text.slice(at - 3, at))
}

function backslashesBefore(text: string, quote: number) {
  let at = quote

  while (text[at - 1] === '\\') at--

  return at
}

function bareEnd(text: string, start: number) {
  terminator.lastIndex = start
  let end = terminator.exec(text)?.index

  // The bracket of a `[Filtered]` within the value does not end it.
  while (end !== undefined && text.startsWith(redacted, end + 1 - redacted.length)) end = terminator.exec(text)?.index

  return end ?? text.length
}

function quotedEnd(text: string, start: number, quote: string) {
  const sign = quote.at(-1)!

  for (let at = text.indexOf(sign, start); at !== -1; at = text.indexOf(sign, at + 1)) {
    let backslashes = 0

    while (at - backslashes > start && text[at - backslashes - 1] === '\\') backslashes++
    if (backslashes <= quote.length - 1) return at - backslashes
  }

  return text.length
}
