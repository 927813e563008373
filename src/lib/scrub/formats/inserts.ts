import { redacted } from '../redacted.ts'
import type { SecretLikelihood } from '../secret-keys.ts'

const insert = /\binsert {1,4}into {1,4}[^\s(]{1,128}\s{0,4}\(([^()]{1,4000})\)\s{0,4}values\s{0,4}/gi
const maxValues = 10_000

/** Values of secret columns in SQL: `insert into users (name, password) values ('ann', 'x')`. */
export function scrubInserts(text: string, classify: (key: string) => SecretLikelihood) {
  if (!/insert/i.test(text)) return text
  let result = ''
  let from = 0
  let isCutOff = false

  for (const { index, 0: head, 1: columns } of text.matchAll(insert)) {
    const isSecret = columns!.split(',').map(column => classify(column.replace(/["'`[\]\s]/g, '')) !== 'none')

    if (isCutOff) break
    if (index < from || !isSecret.includes(true)) continue
    for (const { start, end, column } of valuesFrom(text, index + head.length)) {
      // A value that does not end: looking at the rest again for every statement in it would be quadratic.
      isCutOff = end === text.length
      if (!isSecret[column] || !isLiteral(text.slice(start, end))) continue
      const quotes = /^['"]/.test(text.slice(start, start + 1)) && text[end - 1] === text[start] ? 1 : 0

      result += text.slice(from, start + quotes) + redacted
      from = end - quotes
    }
  }

  return from === 0 ? text : result + text.slice(from)
}

/** Placeholders and keywords hold no secret. */
function isLiteral(value: string) {
  return !/^(?:\?|[$:@]\w{1,64}|%s|%\(\w{1,64}\)s|\{\w{0,64}\}|null|default|'?\[Filtered\]'?)$/i.test(value)
}

interface Value {
  start: number
  end: number
  column: number
}

/** The values of one or several rows: `(1, 'a'), (2, 'b')`. */
function* valuesFrom(text: string, from: number): Generator<Value> {
  let at = from

  for (let count = 0; text[at] === '('; ) {
    let column = 0

    for (at++; at < text.length && count < maxValues; column++, count++) {
      while (text[at] === ' ' || text[at] === '\n') at++
      const start = at

      at = endOfValue(text, at)
      yield { start, end: trimmedEnd(text, start, at), column }
      if (text[at++] !== ',') break
    }
    at = nextRow(text, at)
  }
}

function nextRow(text: string, from: number) {
  let at = from

  while (at < text.length && /[\s,]/.test(text[at]!)) at++

  return at
}

function trimmedEnd(text: string, start: number, end: number) {
  let at = end

  while (at > start && text[at - 1] === ' ') at--

  return at
}

/** At the comma or bracket behind a value, which may be quoted or a call. */
function endOfValue(text: string, from: number) {
  let depth = 0
  let at = from

  for (; at < text.length; at++) {
    const character = text[at]!

    if (character === "'" || character === '"') at = endOfQuoted(text, at, character)
    else if (character === '(') depth++
    else if (depth === 0 && (character === ',' || character === ')')) return at
    else if (character === ')') depth--
  }

  return at
}

/** Doubled and escaped quotes belong to the text. */
function endOfQuoted(text: string, from: number, quote: string) {
  let at = from + 1

  for (; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote && text[at + 1] === quote) at++
    else if (text[at] === quote) return at
  }

  return at
}
