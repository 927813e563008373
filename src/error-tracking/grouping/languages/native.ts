import type { Language } from '../language.ts'
import { memoizeName, stripSuffixes } from '../names.ts'

const unknown = new Set(['<redacted>', '<unknown>', 'unknown', '???', '??'])
/** Names that nothing below would change: most of C, and C++ or Rust without the extras. */
const plainName = /^[A-Za-z_][\w:]*$/
/** What stands behind a method's parameters: ` const`, ` noexcept`, ` &&`. */
const qualifier = / (?:const|volatile|noexcept|throws|async)$| ?&$/
const closure = /::\{+[\w #:.-]{0,40}\}+$/
const opening = new Set('(<[')
const closing = new Set(')>]')

/** Compiled code, as demanglers of many makes print it: C, C++, Rust, Swift, Objective-C. */
export const native: Language = {
  functionName: memoizeName(name => {
    if (unknown.has(name) || /^0x[0-9a-f]+$/i.test(name)) return ''
    if (/^[+-]?\[/.test(name)) return name
    const known = name.replace(/::h[0-9a-f]{16}$/, '').replace(/@@?[A-Z]+_[\d.]+$| ?\+ ?(?:0x[0-9a-f]+|\d+)$/i, '')

    return withoutCounts(plainName.test(known) || known.includes('_block_invoke') ? known : declaredName(known))
  })
}

/** `__pay_block_invoke_2`, `pay::{{closure}}`, `pay::{closure#1}`, `main::$_0`. */
function withoutCounts(name: string) {
  if (!/[{$]|_invoke/.test(name)) return name

  const uncounted = name.replace(/(_block_invoke)(?:[._]\d+)+$/, '$1').replace(/\{lambda[^{}]{0,200}\}#?\d*|\$_\d+/g, '{lambda}')

  return stripSuffixes(uncounted, closure)
}

/** Of `virtual std::vector<int> shop::Cart<T>::pay(int) const [clone .cold]`, what it is all about: `shop::Cart::pay`. */
function declaredName(given: string) {
  const [declaration] = given
    .replaceAll('(anonymous namespace)', '{anonymous}')
    .replaceAll('operator()', 'operatorcall')
    .replace(/operator ?([<>=-]{1,3})/g, (_, symbol: string) => `operator${symbol.replaceAll('<', 'lt').replaceAll('>', 'gt')}`)
    .split(' -> ', 1)
  const name = stripSuffixes(typeFirst(declaration!).trim(), qualifier)
  const operator = name.indexOf('operator')

  return name.slice(name.lastIndexOf(' ', operator === -1 ? name.length : operator) + 1) || given
}

/** Rust names a method of a trait `<shop::Cart<T> as shop::Pay>::pay`. */
function typeFirst(name: string) {
  if (!name.startsWith('<')) return outside(name)
  const type = outside(name.slice(1)).split(' as ', 1)[0]!
  const method = name.lastIndexOf('>::')

  return method === -1 ? type : type + outside(name.slice(method + 1))
}

/** Arguments, template arguments and notes fall away, with all that they enclose. */
function outside(text: string) {
  let kept = ''
  let depth = 0

  for (const character of text) {
    if (opening.has(character)) depth++
    else if (closing.has(character)) depth--
    else if (depth === 0) kept += character
    if (depth < 0) return kept
  }

  return kept
}
