import { filtered } from './credentials.ts'
import type { SecretLikelihood } from './secret-keys.ts'
import { bareValue, bracketedValue, lineValue, nowhere, quotedValue, type Span } from './secret-value.ts'

const equals = 0x3d
const colon = 0x3a
const longestKey = 64
const header = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i

interface Assignment {
  text: string
  /** Where its sign stands, = or : */
  at: number
  name: string
  isQuoted: boolean
  /** Where the name begins. */
  start: number
}

/**
 * What is assigned to a key that names a secret, in text: the parameters of a URL or a form, JSON and the like of it
 * within a string, `password: "…"` in what somebody logged. Of plain prose as little as can be.
 */
export function scrubAssignments(text: string, judge: (key: string) => SecretLikelihood) {
  let result = ''
  let from = 0

  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)

    if (code !== equals && code !== colon) continue
    const assignment = assignmentAt(text, at)
    const verdict = assignment ? judge(assignment.name) : 'none'
    const [start, end] = verdict === 'none' ? nowhere : secretOf(assignment!, verdict === 'sure')

    if (end <= start) continue
    result += text.slice(from, start) + filtered
    from = end
    at = end - 1
  }

  return from === 0 ? text : result + text.slice(from)
}

/** The name before the sign: in quotes, in brackets (`user[password]=`) or plain. */
function assignmentAt(text: string, at: number): Assignment | undefined {
  let end = at

  while (end > 0 && at - end < 3 && text[end - 1] === ' ') end--
  if (text[end - 1] === ']') end--
  const isQuoted = text[end - 1] === '"' || text[end - 1] === "'"

  if (isQuoted) end--
  while (isQuoted && text[end - 1] === '\\') end--
  let start = end

  while (start > 0 && end - start < longestKey && isPartOfKey(text.charCodeAt(start - 1))) start--

  return end - start > 1 && isAssignment(text, at) ? { text, at, name: text.slice(start, end), isQuoted, start } : undefined
}

// Letters, digits, _ and -.
function isPartOfKey(code: number) {
  const lower = code | 0x20

  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d
}

/** Not a comparison, a scope (`Session::Cookie`) or the beginning of a URL. */
function isAssignment(text: string, at: number) {
  const before = text[at - 1]!
  const after = text[at + 1] ?? ''

  return text[at] === ':' ? before !== ':' && after !== ':' && after !== '/' : !'=!<>'.includes(before) && after !== '=' && after !== '~'
}

/** From where to where the assigned secret goes; `isSure` of a name that means one wherever it stands. */
function secretOf(assignment: Assignment, isSure: boolean): Span {
  const { text, at, name } = assignment
  const start = skipSpaces(text, text[at + 1] === '>' ? at + 2 : at + 1)

  if (start >= text.length || text.startsWith(filtered, start)) return nowhere
  const quote = /^[bu]?(\\*["'])/.exec(text.slice(start, start + 12))
  const isMeant = isSure || isKey(assignment)

  if (quote) return isMeant ? quotedValue(text, start + quote[0].length, quote[1]!) : nowhere
  if (text[at] === ':' && header.test(name)) return lineValue(text, start)
  if (text[start] === '{' || text[start] === '[') return isMeant ? bracketedValue(text, start) : nowhere

  return plainSecret(assignment, start, isSure)
}

/** After a colon, a name has to begin something: `{ token: 'x' }`, not `Unexpected token: 'x'`. */
function isKey({ text, at, isQuoted, start }: Assignment) {
  return isQuoted || text[at] !== ':' || !/[\w'"\]] {0,3}$/.test(text.slice(Math.max(0, start - 4), start))
}

function plainSecret({ text, at, isQuoted }: Assignment, start: number, isSure: boolean): Span {
  const isClose = start === at + 1 && text[at - 1] !== ' '

  if (isQuoted || (isClose && text[at] === '=')) return bareValue(text, start, () => true)
  if (!isSure) return nowhere

  return bareValue(text, start, isClose ? isNoPlace : looksMade)
}

/** Not a line or a port, as in `secret:8080`. */
function isNoPlace(value: string) {
  return !/^\d{1,5}(?::|$)/.test(value)
}

/** What follows "password:" in prose is a word more often than a secret. */
function looksMade(value: string) {
  return /\d|[^\w.!?:-]|[a-z][A-Z]/.test(value)
}

function skipSpaces(text: string, start: number) {
  let at = start

  while (at - start < 4 && text[at] === ' ') at++

  return at
}
