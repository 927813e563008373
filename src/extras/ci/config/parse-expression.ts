import { InvalidConfig } from './invalid-config.ts'
import { type Token, tokenize } from './tokenize-expression.ts'

export type Expression =
  | { type: 'and' | 'or'; left: Expression; right: Expression }
  | { type: '==' | '!=' | '=~' | '!~'; left: Expression; right: Expression }
  | Exclude<Token, { type: 'operator' }>

const maxDepth = 100
const comparisons = ['==', '!=', '=~', '!~'] as const

/** `&&` binds closer than `||`, comparisons closest. */
export function parseExpression(text: string): Expression {
  const tokens = tokenize(text)
  let at = 0
  let depth = 0
  const expression = either()

  if (at < tokens.length) throw invalid()

  return expression

  function either() {
    let left = both()

    while (accept('||')) left = { type: 'or', left, right: both() }

    return left
  }

  function both() {
    let left = comparison()

    while (accept('&&')) left = { type: 'and', left, right: comparison() }

    return left
  }

  function comparison(): Expression {
    const left = operand()
    const type = comparisons.find(accept)

    return type ? { type, left, right: operand() } : left
  }

  function operand(): Expression {
    if (accept('(')) return group()
    const token = tokens[at++]

    if (!token || token.type === 'operator') throw invalid()

    return token
  }

  function group() {
    if (++depth > maxDepth) throw invalid()
    const inner = either()

    if (!accept(')')) throw invalid()
    depth--

    return inner
  }

  function accept(operator: string) {
    const token = tokens[at]
    const isNext = token?.type === 'operator' && token.text === operator

    if (isNext) at++

    return isNext
  }
}

function invalid() {
  return new InvalidConfig('invalid expression syntax')
}
