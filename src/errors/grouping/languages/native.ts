import type { Language } from '../language.ts'
import { memoizeName, stripSuffixes } from '../names.ts'

const unknownNames = new Set(['<redacted>', '<unknown>', 'unknown', '???', '??'])
/** Most names of C, C++ and Rust need no cleaning. */
const plainName = /^[A-Za-z_][\w:]*$/
/** Suffixes of a method's parameters: ` const`, ` noexcept`, ` &&`. */
const qualifier = / (?:const|volatile|noexcept|throws|async)$| ?&$/
const closure = /::\{+[\w #:.-]{0,40}\}+$/
const opening = new Set('(<[')
const closing = new Set(')>]')

/** Demangled names of C, C++, Rust, Swift and Objective-C. */
export const native: Language = {
  functionName: memoizeName(name => {
    if (unknownNames.has(name) || /^0x[0-9a-f]+$/i.test(name)) return ''
    if (/^[+-]?\[/.test(name)) return name
    const symbol = name.replace(/::h[0-9a-f]{16}$/, '').replace(/@@?[A-Z]+_[\d.]+$| ?\+ ?(?:0x[0-9a-f]+|\d+)$/i, '')

    return withoutNumbers(plainName.test(symbol) || symbol.includes('_block_invoke') ? symbol : declaredName(symbol))
  })
}

/** `__pay_block_invoke_2`, `pay::{{closure}}`, `pay::{closure#1}`, `main::$_0`. */
function withoutNumbers(name: string) {
  if (!/[{$]|_invoke/.test(name)) return name

  const unnumbered = name.replace(/(_block_invoke)(?:[._]\d+)+$/, '$1').replace(/\{lambda[^{}]{0,200}\}#?\d*|\$_\d+/g, '{lambda}')

  return stripSuffixes(unnumbered, closure)
}

/** `shop::Cart::pay` of `virtual std::vector<int> shop::Cart<T>::pay(int) const [clone .cold]`. */
function declaredName(symbol: string) {
  const [declaration] = symbol
    .replaceAll('(anonymous namespace)', '{anonymous}')
    .replaceAll('operator()', 'operatorcall')
    .replace(/operator ?([<>=-]{1,3})/g, (_, sign: string) => `operator${sign.replaceAll('<', 'lt').replaceAll('>', 'gt')}`)
    .split(' -> ', 1)
  const name = stripSuffixes(typeFirst(declaration!).trim(), qualifier)
  const operator = name.indexOf('operator')

  return name.slice(name.lastIndexOf(' ', operator === -1 ? name.length : operator) + 1) || symbol
}

/** Rust's trait methods: `<shop::Cart<T> as shop::Pay>::pay`. */
function typeFirst(name: string) {
  if (!name.startsWith('<')) return withoutBrackets(name)
  const type = withoutBrackets(name.slice(1)).split(' as ', 1)[0]!
  const method = name.lastIndexOf('>::')

  return method === -1 ? type : type + withoutBrackets(name.slice(method + 1))
}

/** Removes everything in brackets: arguments, template arguments, notes. */
function withoutBrackets(text: string) {
  let result = ''
  let depth = 0

  for (const character of text) {
    if (opening.has(character)) depth++
    else if (closing.has(character)) depth--
    else if (depth === 0) result += character
    if (depth < 0) return result
  }

  return result
}
