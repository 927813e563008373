const deepest = 200
const quote = 0x22
const backslash = 0x5c
const filler = Buffer.from('"…"')

/** Whether JSON nests deeper than anybody means to: reading half a million brackets takes V8 a second. */
export function isTooDeep(json: Buffer) {
  let depth = 0

  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!

    if (byte === quote) at = endOfString(json, at)
    else if (isOpening(byte) && ++depth > deepest) return true
    else if (isClosing(byte)) depth--
  }

  return false
}

/** The same JSON with all that lies too deep replaced by an ellipsis, in one pass. */
export function cutNesting(json: Buffer) {
  const pieces: Buffer[] = []
  let depth = 0
  let from = 0

  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!

    if (byte === quote) at = endOfString(json, at)
    else if (isOpening(byte) && ++depth === deepest + 1) pieces.push(json.subarray(from, at), filler)
    else if (isClosing(byte) && depth-- === deepest + 1) from = at + 1
  }

  return Buffer.concat([...pieces, json.subarray(depth > deepest ? json.length : from)])
}

function endOfString(json: Buffer, start: number) {
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at]!

    if (byte === quote) return at
    if (byte === backslash) at++
  }

  return json.length
}

// { and [ differ by one bit from each other, as } and ] do.
function isOpening(byte: number) {
  return (byte | 0x20) === 0x7b
}

function isClosing(byte: number) {
  return (byte | 0x20) === 0x7d
}
