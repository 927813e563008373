import { decodePercent } from './decode.ts'
import { redacted } from './redacted.ts'
import { isContainerKey, type SecretLikelihood } from './secret-keys.ts'
import {
  bareValue,
  bracketedValue,
  isEncoded,
  lineValue,
  looksGenerated,
  looksRandom,
  noSpan,
  quotedValue,
  type Span
} from './secret-value.ts'

const equals = 0x3d
const colon = 0x3a
const bar = 0x7c
const maxKeyLength = 100
/** Escapes of brackets and letters in the names of URL parameters. */
const maxDecodings = 3
const header = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i

/** Outside of parameters, a word after these describes a state: `token=IDENT`, `jwt=expired`. */
const statusKeys = /(?:token|session|cookies?|csrf|xsrf|jwt|auth|bearer|otp)$/i

interface Assignment {
  text: string
  /** Index of the sign, `=`, `:` or `|`. */
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

    if (code !== equals && code !== colon && code !== bar) continue
    const assignment = assignmentAt(text, at)
    const likelihood = assignment ? classify(assignment.name) : 'none'
    const [start, end] = likelihood === 'none' ? noSpan : secretSpan(assignment!, likelihood)

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

  return end - start > 1 && isAssignment(text, at) ? { text, at, name: decodeName(text.slice(start, end)), isQuoted, start } : undefined
}

function decodeName(name: string) {
  let decoded = name

  for (let n = 0; n < maxDecodings && decoded.includes('%'); n++) decoded = decodePercent(decoded)

  return decoded
}

// ASCII letters, digits, _, - and %.
function isKeyCharacter(code: number) {
  const lower = code | 0x20

  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d || code === 0x25
}

/** Excludes comparisons, scopes (`Session::Cookie`), URLs, and bars with space around them. */
function isAssignment(text: string, at: number) {
  const before = text[at - 1]!
  const after = text[at + 1] ?? ''

  if (text[at] === '|') return /\w/.test(before) && /[^\s|]/.test(after)

  return text[at] === ':' ? before !== ':' && after !== ':' && after !== '/' : !'=!<>'.includes(before) && after !== '=' && after !== '~'
}

/** The span of the assigned secret. A name that is only `likely` secret needs clearer syntax than a `sure` one. */
function secretSpan(assignment: Assignment, likelihood: SecretLikelihood): Span {
  const { text, at, name } = assignment
  const start = skipSpaces(text, text[at + 1] === '>' ? at + 2 : at + 1)

  if (start >= text.length || text.startsWith(redacted, start)) return noSpan
  if (text[at] === '|') return separatedSpan(assignment, start, likelihood)
  const quote = /^[bu]?(\\*["'])/.exec(text.slice(start, start + 12))
  const isSecretKey = likelihood === 'sure' || isKey(assignment)

  if (quote) return isSecretKey ? quotedSpan(assignment, start + quote[0].length, quote[1]!, likelihood) : noSpan
  if (text[at] === ':' && header.test(name)) return lineValue(text, start)
  if (text[start] === '{' || text[start] === '[')
    return isSecretKey && !isContainer(assignment, start) ? bracketedValue(text, start) : noSpan

  return unquotedSpan(assignment, start, likelihood)
}

/** `pwd|x`. Between bars, the names of columns stand in a row: a secret there looks generated. */
function separatedSpan({ text, name, start: nameStart }: Assignment, start: number, likelihood: SecretLikelihood): Span {
  const isInRow = text[nameStart - 1] === '|' || /^[^\s|]{1,63}\|/.test(text.slice(start, start + 64))
  const needsProof = isInRow || (likelihood === 'likely' && statusKeys.test(name))
  const isSecret = likelihood === 'possible' ? looksRandom : needsProof ? looksGenerated : () => true

  return bareValue(text, start, value => !isEncoded(value) && isSecret(value))
}

function quotedSpan({ text }: Assignment, start: number, quote: string, likelihood: SecretLikelihood): Span {
  const [from, end] = quotedValue(text, start, quote)

  return likelihood === 'possible' && !looksRandom(text.slice(from, Math.min(end, from + 64))) ? noSpan : [from, end]
}

/** The members of a session are scrubbed by their own names. */
function isContainer({ text, name }: Assignment, start: number) {
  return /^\[?\{/.test(text.slice(start, start + 2)) && isContainerKey(name)
}

/** Before a colon, the name must not follow another word: `{ token: 'x' }`, but not `Unexpected token: 'x'`. */
function isKey({ text, at, isQuoted, start }: Assignment) {
  return isQuoted || text[at] !== ':' || !/[\w'"\]] {0,3}$/.test(text.slice(Math.max(0, start - 4), start))
}

function unquotedSpan({ text, at, isQuoted, name, start: nameStart }: Assignment, start: number, likelihood: SecretLikelihood): Span {
  const isAdjacent = start === at + 1 && text[at - 1] !== ' '

  if (likelihood === 'possible') return isAdjacent || isQuoted ? bareValue(text, start, looksRandom) : noSpan
  if (isQuoted || (isAdjacent && text[at] === '=')) {
    const needsProof = likelihood === 'likely' && !isQuoted && statusKeys.test(name) && !isParameter(text, nameStart, start)

    return bareValue(text, start, needsProof ? looksGenerated : () => true)
  }
  if (likelihood !== 'sure') return noSpan

  return bareValue(text, start, isAdjacent ? isNotPosition : looksGenerated)
}

/** Whether the assignment is a parameter of a URL or of a form. */
function isParameter(text: string, nameStart: number, start: number) {
  if (nameStart > 0) return '?&;#[%'.includes(text[nameStart - 1]!)

  return /^[^\s&]{1,63}&/.test(text.slice(start, start + 64))
}

/** Excludes line numbers and ports, as in `secret:8080`. */
function isNotPosition(value: string) {
  return !/^\d{1,5}(?::|$)/.test(value)
}

function skipSpaces(text: string, start: number) {
  let at = start

  while (at - start < 4 && text[at] === ' ') at++

  return at
}
