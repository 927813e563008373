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
  const head = headOf(name)
  let [closed, blocks] = [0, 0]

  for (let n = Math.min(column, text.length) - 1; n >= Math.max(0, column - reach) && blocks < mostBlocks; n--) {
    const code = text.charCodeAt(n)

    if (code === closingBrace) closed++
    else if (code === openingBrace && closed > 0) closed--
    else if (code === openingBrace) {
      const from = Math.max(0, n - longestHead)
      const match = head.exec(text.slice(from, n))

      if (match) return from + match.index + (match[1] ?? '').length
      blocks++
    }
  }
}

const openingBrace = 0x7b
const closingBrace = 0x7d

/** What stands before a block: `function n(…)`, `n=function(…)`, `n=(…)=>`, `class n`, `n=class`. */
function headOf(name: string) {
  const own = RegExp.escape(name)
  const parameters = '\\([^{}]{0,200}\\)'

  return new RegExp(
    `(\\b(?:function\\s*\\*?|class)\\s+)${own}(?:\\s*${parameters}|\\s+extends\\s[^(){}]{1,100})?\\s*$|` +
      `(?<![\\w$.])${own}\\s*[=:]\\s*(?:async\\s*)?(?:function\\b[^({]{0,50}${parameters}|(?:${parameters}|[\\w$]{1,50})\\s*=>|class\\b[^({]{0,100})\\s*$`
  )
}
