import { redacted } from './credentials.ts'
import type { SecretLikelihood } from './secret-keys.ts'
import { bareValue, bracketedValue, lineValue, noSpan, quotedValue, type Span } from './secret-value.ts'

const equals = 0x3d
const colon = 0x3a
const maxKeyLength = 64
const header = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i

interface Assignment {
  text: string
  /** Index of the sign, `=` or `:`. */
  at: number
  name: string
  isQuoted: boolean
  /** Index of the name. */
  start: number
}

/**
 * Redacts values assigned to secret keys in text: parameters of URLs and forms, JSON within a string, `password: "…"` in
 * a log line. Avoids matches in prose.
 */
export function scrubAssignments(text: string, classify: (key: string) => SecretLikelihood) {
  let result = ''
  let from = 0

  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)

    if (code !== equals && code !== colon) continue
    const assignment = assignmentAt(text, at)
    const likelihood = assignment ? classify(assignment.name) : 'none'
    const [start, end] = likelihood === 'none' ? noSpan : secretSpan(assignment!, likelihood === 'sure')

    if (end <= start) continue
    result += text.slice(from, start) + redacted
    from = end
    at = end - 1
  }

  return from === 0 ? text : result + text.slice(from)
}

/** The name before the sign may be quoted, in brackets (`user[password]=`) or plain. */
function assignmentAt(text: string, at: number): Assignment | undefined {
  let end = at

  while (end > 0 && at - end < 3 && text[end - 1] === ' ') end--
  if (text[end - 1] === ']') end--
  const isQuoted = text[end - 1] === '"' || text[end - 1] === "'"

  if (isQuoted) end--
  while (isQuoted && text[end - 1] === '\\') end--
  let start = end

  while (start > 0 && end - start < maxKeyLength && isKeyCharacter(text.charCodeAt(start - 1))) start--

  return end - start > 1 && isAssignment(text, at) ? { text, at, name: text.slice(start, end), isQuoted, start } : undefined
}

// ASCII letters, digits, _ and -.
function isKeyCharacter(code: number) {
  const lower = code | 0x20

  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d
}

/** Excludes comparisons, scopes (`Session::Cookie`) and URLs. */
function isAssignment(text: string, at: number) {
  const before = text[at - 1]!
  const after = text[at + 1] ?? ''

  return text[at] === ':' ? before !== ':' && after !== ':' && after !== '/' : !'=!<>'.includes(before) && after !== '=' && after !== '~'
}

/** The span of the assigned secret. A name that is only `likely` secret needs clearer syntax than a `sure` one. */
function secretSpan(assignment: Assignment, isSure: boolean): Span {
  const { text, at, name } = assignment
  const start = skipSpaces(text, text[at + 1] === '>' ? at + 2 : at + 1)

  if (start >= text.length || text.startsWith(redacted, start)) return noSpan
  const quote = /^[bu]?(\\*["'])/.exec(text.slice(start, start + 12))
  const isSecretKey = isSure || isKey(assignment)

  if (quote) return isSecretKey ? quotedValue(text, start + quote[0].length, quote[1]!) : noSpan
  if (text[at] === ':' && header.test(name)) return lineValue(text, start)
  if (text[start] === '{' || text[start] === '[') return isSecretKey ? bracketedValue(text, start) : noSpan

  return unquotedSpan(assignment, start, isSure)
}

/** Before a colon, the name must not follow another word: `{ token: 'x' }`, but not `Unexpected token: 'x'`. */
function isKey({ text, at, isQuoted, start }: Assignment) {
  return isQuoted || text[at] !== ':' || !/[\w'"\]] {0,3}$/.test(text.slice(Math.max(0, start - 4), start))
}

function unquotedSpan({ text, at, isQuoted }: Assignment, start: number, isSure: boolean): Span {
  const isAdjacent = start === at + 1 && text[at - 1] !== ' '

  if (isQuoted || (isAdjacent && text[at] === '=')) return bareValue(text, start, () => true)
  if (!isSure) return noSpan

  return bareValue(text, start, isAdjacent ? isNotPosition : looksGenerated)
}

/** Excludes line numbers and ports, as in `secret:8080`. */
function isNotPosition(value: string) {
  return !/^\d{1,5}(?::|$)/.test(value)
}

/** In prose, a word after `password:` is hardly ever a secret; one with digits, symbols or camel case may be. */
function looksGenerated(value: string) {
  return /\d|[^\w.!?:-]|[a-z][A-Z]/.test(value)
}

function skipSpaces(text: string, start: number) {
  let at = start

  while (at - start < 4 && text[at] === ' ') at++

  return at
}
