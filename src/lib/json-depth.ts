const usual = 200
const quote = 0x22
const backslash = 0x5c
const filler = '"…"'

/** Whether JSON nests deeper than anybody means to: to read half a million brackets takes V8 a second. */
export function isTooDeep(json: string, deepest = usual) {
  if (!hasMoreThan(deepest, json)) return false
  let depth = 0

  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)

    if (code === quote) at = endOfString(json, at)
    else if (isOpening(code) && ++depth > deepest) return true
    else if (isClosing(code)) depth--
  }

  return false
}

/** Whether there are so many opening brackets at all; usually there are not, and looking for them takes next to no time. */
function hasMoreThan(most: number, json: string) {
  let count = 0

  for (const bracket of '{[') {
    for (let at = json.indexOf(bracket); at !== -1 && count <= most; at = json.indexOf(bracket, at + 1)) count++
  }

  return count > most
}

/** The same JSON with all that lies too deep replaced by an ellipsis, in one pass. */
export function cutNesting(json: string) {
  const pieces: string[] = []
  let depth = 0
  let from = 0

  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)

    if (code === quote) at = endOfString(json, at)
    else if (isOpening(code) && ++depth === usual + 1) pieces.push(json.slice(from, at), filler)
    else if (isClosing(code) && depth-- === usual + 1) from = at + 1
  }

  return pieces.join('') + (depth > usual ? '' : json.slice(from))
}

/** Where the closing quote of the string is that begins here: a quote after an odd number of backslashes is none. */
export function endOfString(json: string, start: number) {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0

    while (json.charCodeAt(at - backslashes - 1) === backslash) backslashes++
    if (backslashes % 2 === 0) return at
  }

  return json.length
}

// { and [ differ by one bit from each other, as } and ] do.
function isOpening(code: number) {
  return (code | 0x20) === 0x7b
}

function isClosing(code: number) {
  return (code | 0x20) === 0x7d
}
