const maxDepth = 200
const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const filler = '"…"'

/** Whether JSON is nested too deeply. JSON.parse needs a second for half a million brackets. */
export function isTooDeep(json: string, max = maxDepth) {
  if (!hasMoreBrackets(max, json)) return false
  let depth = 0

  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)

    if (code === quote) at = endOfString(json, at)
    else if (isOpening(code) && ++depth > max) return true
    else if (isClosing(code)) depth--
  }

  return false
}

/** Whether JSON has more values than this. Each takes time to parse, validate and copy, however short it is. */
export function hasMoreValues(json: string, max: number) {
  // A value and its comma are two characters.
  if (json.length < 2 * max) return false
  let count = 1

  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)

    if (code === quote) at = endOfString(json, at)
    else if ((code === comma || isOpening(code)) && ++count > max) return true
  }

  return false
}

/** Cheap first test: mostly there are fewer brackets than the limit. */
function hasMoreBrackets(max: number, json: string) {
  let count = 0

  for (const bracket of '{[') {
    for (let at = json.indexOf(bracket); at !== -1 && count <= max; at = json.indexOf(bracket, at + 1)) count++
  }

  return count > max
}

/** Replaces values that are nested too deeply by an ellipsis, in one pass. */
export function truncateDepth(json: string) {
  const pieces: string[] = []
  let depth = 0
  let from = 0

  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)

    if (code === quote) at = endOfString(json, at)
    else if (isOpening(code) && ++depth === maxDepth + 1) pieces.push(json.slice(from, at), filler)
    else if (isClosing(code) && depth-- === maxDepth + 1) from = at + 1
  }

  return pieces.join('') + (depth > maxDepth ? '' : json.slice(from))
}

/** Index of the closing quote. A quote after an odd number of backslashes is escaped. */
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
