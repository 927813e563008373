/** As far back as a function's beginning is looked for, how many blocks outwards, and how long what stands before one may be. */
const reach = 50_000
const mostBlocks = 50
const longestHead = 300

/**
 * The column at which a line of a script declares the function or class of this name around a column (all from 0); nothing when
 * that cannot be told. Minifiers give the same short names again and again: the block that is still open there is meant. Braces
 * in texts and patterns count as well, which hardly ever matters.
 */
export function declaredIn(script: string[], name: string, line: number, column: number) {
  const text = script[line] ?? ''
  let [closed, blocks] = [0, 0]

  for (let n = Math.min(column, text.length) - 1; n >= Math.max(0, column - reach) && blocks < mostBlocks; n--) {
    const code = text.charCodeAt(n)

    if (code === closingBrace) closed++
    else if (code === openingBrace && closed > 0) closed--
    else if (code === openingBrace) {
      const from = Math.max(0, n - longestHead)
      const at = declarationIn(text.slice(from, n).trimEnd(), name)

      if (at !== -1) return from + at
      blocks++
    }
  }
}

const openingBrace = 0x7b
const closingBrace = 0x7d

/** Matches what stands before and behind a name: `function n(…)`, `class n`. */
const keyword = /\b(?:function|class)[\s*]*\s$/
const signature = /^(?:\s*\([^{}]{0,200}\)|\s+extends\s[^(){}]{1,100})?$/
/** `n=function(…)`, `n=(…)=>`, `n=class`. */
const assigned =
  /^\s*[=:]\s*(?:async\s*)?(?:function\b[^({]{0,50}\([^{}]{0,200}\)|(?:\([^{}]{0,200}\)|[\w$]{1,50})\s*=>|class\b[^({]{0,100})$/
const partOfName = /[\w$.]$/

/** Where the text before a block declares this name; -1 when it does not. */
function declarationIn(head: string, name: string) {
  for (let at = head.indexOf(name); at !== -1; at = head.indexOf(name, at + 1)) {
    const before = head.slice(0, at)
    const after = head.slice(at + name.length)

    if (keyword.test(before) && signature.test(after)) return at
    if (!partOfName.test(before) && assigned.test(after)) return at
  }

  return -1
}
