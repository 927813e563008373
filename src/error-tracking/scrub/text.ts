import { scrubAssignments } from './assignments.ts'
import { scrubCards } from './cards.ts'
import { scrubPrivateKeys, scrubSchemes, scrubTokens, scrubUrls } from './credentials.ts'
import type { SecretLikelihood } from './secret-keys.ts'

const equals = 1
const colon = 2
const at = 4
const dash = 8
/** Between a scheme and its credentials, in URLs as well. */
const space = 16
const digit = 32
/** What tokens are made of. */
const letter = 64

const kinds = new Uint8Array(128)

for (let code = 0; code < 128; code++) if (/[\w-]/.test(String.fromCharCode(code))) kinds[code] = letter
for (let code = 0x30; code <= 0x39; code++) kinds[code] = letter | digit
kinds[0x2d] = letter | dash
kinds[0x3d] = equals
kinds[0x3a] = colon
kinds[0x40] = at
for (const gap of [0x09, 0x0a, 0x20, 0x25, 0x2b]) kinds[gap] = space

const shortestToken = 12
const shortestCard = 13
/** `pwd=a`; what is shorter says nothing. */
const shortest = 5

/** Programs fail in the same few places again and again: lines of code that were found clean need no second look. */
const clean = new Set<string>()
const mostClean = 16_384
const longestClean = 256

/** The same of source code, where assignments tell nothing. */
export function scrubCode(text: string) {
  if (text.length > longestClean) return scrubText(text)
  if (clean.has(text)) return text
  const result = scrubText(text)

  if (result === text) {
    if (clean.size >= mostClean) clean.clear()
    clean.add(text)
  }

  return result
}

/**
 * The text without the secrets in it: what is assigned to a key that names one (where names can be judged), passwords
 * in URLs, credentials of HTTP, private keys, tokens of known form, numbers of cards. One look at its characters
 * tells which of these can be there at all.
 */
export function scrubText(text: string, judge?: (key: string) => SecretLikelihood) {
  if (text.length < shortest) return text
  let seen = 0
  let digits = 0
  let run = 0
  let longestRun = 0

  for (let n = 0; n < text.length; n++) {
    const kind = kinds[text.charCodeAt(n)] ?? 0

    seen |= kind
    if (kind & digit) digits++
    if (kind & letter) run++
    else {
      if (run > longestRun) longestRun = run
      run = 0
    }
  }
  if (run > longestRun) longestRun = run
  let result = text

  if (seen & dash && text.length > 30) result = scrubPrivateKeys(result)
  if (seen & at && seen & colon) result = scrubUrls(result)
  if (seen & space && longestRun > 3) result = scrubSchemes(result)
  if (longestRun >= shortestToken) result = scrubTokens(result)
  if (judge && seen & (equals | colon)) result = scrubAssignments(result, judge)
  if (digits >= shortestCard) result = scrubCards(result)

  return result
}
