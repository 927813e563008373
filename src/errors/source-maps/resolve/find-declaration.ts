const maxDistance = 50_000
const maxBlocks = 50
const maxHeadLength = 300

/**
 * Finds the column (from 0) at which a line declares the function or class that encloses `column` and has this name.
 * Minifiers reuse short names, so blocks are searched from the innermost outwards. Braces in strings and regular
 * expressions are counted, too, which rarely matters.
 */
export function findDeclaration(script: string[], name: string, line: number, column: number) {
  const text = script[line] ?? ''
  let [closed, blocks] = [0, 0]

  for (let n = Math.min(column, text.length) - 1; n >= Math.max(0, column - maxDistance) && blocks < maxBlocks; n--) {
    const code = text.charCodeAt(n)

    if (code === closingBrace) closed++
    else if (code === openingBrace && closed > 0) closed--
    else if (code === openingBrace) {
      const from = Math.max(0, n - maxHeadLength)
      const at = declarationIn(text.slice(from, n).trimEnd(), name)

      if (at !== -1) return from + at
      blocks++
    }
  }
}

const openingBrace = 0x7b
const closingBrace = 0x7d

/** Before and after the name in `function n(…)` and `class n`. */
const keyword = /\b(?:function|class)[\s*]*\s$/
const signature = /^(?:\s*\([^{}]{0,200}\)|\s+extends\s[^(){}]{1,100})?$/
/** After the name in `n=function(…)`, `n=(…)=>` and `n=class`. */
const assigned =
  /^\s*[=:]\s*(?:async\s*)?(?:function\b[^({]{0,50}\([^{}]{0,200}\)|(?:\([^{}]{0,200}\)|[\w$]{1,50})\s*=>|class\b[^({]{0,100})$/
const partOfName = /[\w$.]$/

/** The index of the name in the code before a block that it declares, or -1. */
function declarationIn(head: string, name: string) {
  for (let at = head.indexOf(name); at !== -1; at = head.indexOf(name, at + 1)) {
    const before = head.slice(0, at)
    const after = head.slice(at + name.length)

    if (keyword.test(before) && signature.test(after)) return at
    if (!partOfName.test(before) && assigned.test(after)) return at
  }

  return -1
}
