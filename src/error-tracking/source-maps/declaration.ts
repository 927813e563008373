/** As far back as a function's beginning is looked for. */
const reach = 50_000

/**
 * The column at which a line of a script declares the function or class of this name around a place (both from 0); nothing when that cannot be told
 * for sure. Minifiers give the same short names again and again: the one that is still open there is meant.
 */
export function declaredIn(script: string[], name: string, line: number, column: number) {
  const from = Math.max(0, column - reach)
  const text = script[line]?.slice(from, column) ?? ''
  const declarations = [...text.matchAll(declarationOf(name))]
  const around = declarations.findLast(({ index, 0: declaration }) => isOpen(text, index + declaration.length))

  return around && from + around.index + (around[1] ?? '').length
}

/** `function n(…){`, `n=function(…){`, `n=(…)=>{`, `class n{`, `n=class{`: up to the brace. */
function declarationOf(name: string) {
  const own = RegExp.escape(name)
  const parameters = '\\([^(){}]{0,500}(?:\\([^(){}]{0,200}\\)[^(){}]{0,200}){0,5}\\)'
  const base = '(?:\\s+extends\\s+[\\w$.]{1,100})?'

  return new RegExp(
    `((?:function\\s*\\*?|class)\\s+)${own}(?:\\s*${parameters}|${base})\\s*\\{|` +
      `(?<![\\w$.])${own}\\s*[=:]\\s*(?:async\\s*)?(?:function\\b[^(]{0,100}${parameters}|(?:${parameters}|[\\w$]{1,50})\\s*=>|class\\b[^{]{0,100})\\s*\\{`,
    'g'
  )
}

/** Whether the block that begins there is not at its end yet. Braces in texts and patterns count as well, which hardly ever matters. */
function isOpen(text: string, from: number) {
  let depth = 1

  for (let n = from; n < text.length; n++) {
    const code = text.charCodeAt(n)

    if (code === 0x7b) depth++
    else if (code === 0x7d && --depth === 0) return false
  }

  return true
}
