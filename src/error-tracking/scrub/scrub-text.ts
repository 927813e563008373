import { scrubAssignments } from './assignments.ts'
import { scrubCards } from './cards.ts'
import { scrubAuthorizations, scrubPrivateKeys, scrubTokens, scrubUrls } from './credentials.ts'
import type { SecretLikelihood } from './secret-keys.ts'

// Bits of the character classes.
const equals = 1
const colon = 2
const at = 4
const dash = 8
/** Between an authorization scheme and its credentials, in URLs too. */
const space = 16
const digit = 32
const tokenCharacter = 64

const classes = new Uint8Array(128)

for (let code = 0; code < 128; code++) if (/[\w-]/.test(String.fromCharCode(code))) classes[code] = tokenCharacter
for (let code = 0x30; code <= 0x39; code++) classes[code] = tokenCharacter | digit
classes[0x2d] = tokenCharacter | dash
classes[0x3d] = equals
classes[0x3a] = colon
classes[0x40] = at
for (const code of [0x09, 0x0a, 0x20, 0x25, 0x2b]) classes[code] = space

const minTokenLength = 12
const minCardDigits = 13
/** `pwd=a` is the shortest text with a secret. */
const minLength = 5

/**
 * Redacts secrets in text: private keys, passwords in URLs, HTTP credentials, tokens, card numbers, and, with `classify`,
 * values assigned to secret keys. One pass over the characters decides which scrubbers need to run.
 */
export function scrubText(text: string, classify?: (key: string) => SecretLikelihood) {
  if (text.length < minLength) return text
  const { found, digits, longestToken } = scan(text)
  let result = text

  if (found & dash && text.length > 30) result = scrubPrivateKeys(result)
  if (found & at && found & colon) result = scrubUrls(result)
  if (found & space && longestToken > 3) result = scrubAuthorizations(result)
  if (longestToken >= minTokenLength) result = scrubTokens(result)
  if (classify && found & (equals | colon)) result = scrubAssignments(result, classify)
  if (digits >= minCardDigits) result = scrubCards(result)

  return result
}

function scan(text: string) {
  let found = 0
  let digits = 0
  let token = 0
  let longestToken = 0

  for (let n = 0; n < text.length; n++) {
    const characterClass = classes[text.charCodeAt(n)] ?? 0

    found |= characterClass
    if (characterClass & digit) digits++
    token = characterClass & tokenCharacter ? token + 1 : 0
    if (token > longestToken) longestToken = token
  }

  return { found, digits, longestToken }
}
