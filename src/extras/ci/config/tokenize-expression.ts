import { InvalidConfig } from './invalid-config.ts'

export type Token =
  | { type: 'operator'; text: string }
  | { type: 'variable'; name: string }
  | { type: 'text'; value: string }
  | { type: 'pattern'; source: string; flags: string }
  | { type: 'null' }

const maxLength = 2000
const maxPatterns = 20
const whitespace = /\s{0,2000}/y
const shapes = [
  { shape: /&&|\|\||==|!=|=~|!~|[()]/y, read: ([text]: string[]): Token => ({ type: 'operator', text: text! }) },
  {
    shape: /\$(?:(\w{1,255})|\{(\w{1,255})\})/y,
    read: ([, name, braced]: string[]): Token => ({ type: 'variable', name: name ?? braced! })
  },
  { shape: /"([^"]{0,2000})"|'([^']{0,2000})'/y, read: ([, one, other]: string[]): Token => ({ type: 'text', value: one ?? other! }) },
  {
    shape: /\/((?:[^\\/]|\\.){1,500})\/([ims]{0,3})/y,
    read: ([, source, flags]: string[]): Token => ({ type: 'pattern', source: source!, flags: flags! })
  },
  { shape: /null\b/y, read: (): Token => ({ type: 'null' }) }
]

/** The tokens of an expression such as `$CI_COMMIT_BRANCH == "main" && $DEPLOY`. */
export function tokenize(expression: string) {
  if (expression.length > maxLength) throw new InvalidConfig(`the expression is longer than ${maxLength} characters`)
  const tokens: Token[] = []
  let at = skip(0)

  while (at < expression.length) {
    const [token, end] = next(at)

    tokens.push(token)
    at = skip(end)
  }

  if (tokens.filter(({ type }) => type === 'pattern').length > maxPatterns)
    throw new InvalidConfig(`the expression has more than ${maxPatterns} patterns`)

  return tokens

  function skip(position: number) {
    whitespace.lastIndex = position

    return position + whitespace.exec(expression)![0].length
  }

  function next(position: number): [Token, number] {
    for (const { shape, read } of shapes) {
      shape.lastIndex = position
      const match = shape.exec(expression)

      if (match) return [read(match), shape.lastIndex]
    }

    throw new InvalidConfig('invalid expression syntax')
  }
}
