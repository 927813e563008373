import { parseJson } from '../json.ts'
import { isTooDeep } from '../json-depth.ts'
import { decodeEscapes, decodePercent, findBase64 } from './decode.ts'
import { redacted } from './redacted.ts'
import { has, type Scan } from './scan.ts'
import type { TextRules, Work } from './text-rules.ts'

type Scrub = (text: string, rules: TextRules) => string

const maxDepth = 4
const maxJsonLength = 200_000
const minBase64 = 20

type Decoding = TextRules & { work: Work }

/** Redacts secrets in the JSON of a text, by the names of its members. */
export function scrubJson(text: string, rules: TextRules) {
  const start = rules.scrubJson ? text.search(jsonStart) : -1

  return start === -1 ? text : scrubJsonPart(text, start, withWork(rules, text))
}

/** Redacts secrets in the parts of a text that are percent-encoded, escaped or base64. */
export function scrubEncoded(text: string, { classes, longestBase64 }: Scan, rules: TextRules, scrub: Scrub) {
  if (!(classes & (has.urlEscape | has.escape)) && longestBase64 < minBase64) return text
  const decoding = withWork(rules, text)
  let result = text

  if (classes & has.urlEscape) result = scrubPercent(result, decoding, scrub)
  if (classes & has.escape) result = scrubWhole(result, decodeEscapes(result), decoding, scrub)
  if (longestBase64 >= minBase64) result = scrubBase64(result, decoding, scrub)

  return result
}

function withWork(rules: TextRules, text: string): Decoding {
  return { ...rules, work: rules.work ?? { depth: 0, budget: { left: 8 * text.length + 1000 } } }
}

/** The rules for a decoded text; undefined when the work is done. */
function nested(rules: Decoding, decoded: string): Decoding | undefined {
  const { depth, budget } = rules.work

  if (depth >= maxDepth || budget.left < decoded.length) return undefined
  budget.left -= decoded.length

  return { ...rules, work: { depth: depth + 1, budget } }
}

const jsonStart = /[{[]\s{0,8}["[{]/

/** Scrubs the JSON in a text, from its first bracket to its last. */
function scrubJsonPart(text: string, start: number, rules: Decoding) {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
  const json = end - start > maxJsonLength ? '' : text.slice(start, end)
  const inner = isTooDeep(json) ? undefined : nested(rules, json)
  const value = inner && parseOrUndefined(json)
  const scrubbed = value === undefined ? value : rules.scrubJson!(value, inner!.work)

  return scrubbed === value ? text : text.slice(0, start) + JSON.stringify(scrubbed) + text.slice(end)
}

function parseOrUndefined(text: string) {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The parts of a URL or form between their separators. */
const separator = /[\s"<>&=?#;,]/

/** Scrubs each encoded part, so that the others stay as they are. */
function scrubPercent(text: string, rules: Decoding, scrub: Scrub) {
  let result = ''
  let from = 0

  for (let at = 0; at < text.length; at = Math.max(from, at + 1)) {
    if (text[at] !== '%' && text[at] !== '+') continue
    let [start, end] = [at, at]

    while (start > from && !separator.test(text[start - 1]!)) start--
    while (end < text.length && !separator.test(text[end]!)) end++
    result += text.slice(from, start) + scrubPart(text.slice(start, end), rules, scrub)
    from = end
  }

  const scrubbed = from === 0 ? text : result + text.slice(from)

  // Senders encode some characters only: a secret may extend over several parts.
  return from === 0 || separator.test(text) ? scrubWhole(scrubbed, decodeForm(scrubbed), rules, scrub) : scrubbed
}

function scrubPart(part: string, rules: Decoding, scrub: Scrub) {
  const decoded = decodeForm(part)
  const scrubbed = scrubWhole(part, decoded, rules, scrub)

  return scrubbed === part ? part : encodeURIComponent(scrubbed.toWellFormed())
}

/** Forms encode a space as a plus sign. */
function decodeForm(text: string) {
  return decodePercent(text.includes('%20') ? text : text.replaceAll('+', ' '))
}

/** The scrubbed text in decoded form if it has a secret. */
function scrubWhole(text: string, decoded: string, rules: Decoding, scrub: Scrub) {
  const inner = decoded === text ? undefined : nested(rules, decoded)
  const scrubbed = inner ? scrub(decoded, inner) : decoded

  return scrubbed === decoded ? text : scrubbed
}

function scrubBase64(text: string, rules: Decoding, scrub: Scrub) {
  let result = ''
  let from = 0

  for (const { start, end, text: decoded } of findBase64(text)) {
    const inner = nested(rules, decoded)

    if (!inner || scrub(decoded, inner) === decoded) continue
    result += text.slice(from, start) + redacted
    from = end
  }

  return from === 0 ? text : result + text.slice(from)
}
