/** Classes of characters, as bits. */
export const has = {
  equals: 1,
  colon: 2,
  at: 4,
  dash: 8,
  /** Between an authorization scheme and its credentials, in URLs too. */
  space: 16,
  digit: 32,
  tokenCharacter: 64,
  bracket: 128,
  /** Encodes characters in URLs and forms. */
  urlEscape: 256,
  /** Begins an escape of JSON or HTML. */
  escape: 512,
  base64: 1024,
  bracketOfJson: 2048,
  slash: 4096,
  bar: 8192
}

export interface Scan {
  classes: number
  digits: number
  longestToken: number
  longestBase64: number
}

const classes = new Uint16Array(128)

for (let code = 0; code < 128; code++) if (/[\w-]/.test(String.fromCharCode(code))) classes[code] = has.tokenCharacter | has.base64
for (let code = 0x30; code <= 0x39; code++) classes[code]! |= has.digit
for (const code of [0x09, 0x0a, 0x20, 0x25, 0x2b]) classes[code] = has.space
classes[0x2d]! |= has.dash
classes[0x25]! |= has.urlEscape
classes[0x2b]! |= has.urlEscape | has.base64
classes[0x2f] = has.base64 | has.slash
classes[0x7c] = has.bar
classes[0x5b] = has.bracketOfJson
classes[0x7b] = has.bracketOfJson
classes[0x3d] = has.equals
classes[0x3a] = has.colon
classes[0x40] = has.at
classes[0x3c] = has.bracket
classes[0x5c] = has.escape
classes[0x26] = has.escape

/** Finds which characters a text has, in one pass. Hot path: every string of an event is scanned. */
export function scan(text: string): Scan {
  const { length } = text
  let found = 0
  let digits = 0
  let tokenStart = 0
  let longestToken = 0
  let base64Start = 0
  let longestBase64 = 0

  for (let n = 0; n < length; n++) {
    const code = text.charCodeAt(n)
    const characterClass = code < 128 ? classes[code]! : 0

    found |= characterClass
    if (characterClass & has.digit) digits++
    if (characterClass & has.tokenCharacter) continue
    longestToken = Math.max(longestToken, n - tokenStart)
    tokenStart = n + 1
    if (characterClass & has.base64) continue
    longestBase64 = Math.max(longestBase64, n - base64Start)
    base64Start = n + 1
  }

  return {
    classes: found,
    digits,
    longestToken: Math.max(longestToken, length - tokenStart),
    longestBase64: Math.max(longestBase64, length - base64Start)
  }
}
