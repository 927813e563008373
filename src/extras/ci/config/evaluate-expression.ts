import { RE2JS } from 're2js'
import { InvalidConfig } from './invalid-config.ts'
import { type Expression, parseExpression } from './parse-expression.ts'

/** As Ruby has them: `m` lets a dot match newlines, and `^` and `$` always match at lines. */
const flagsOf: Record<string, number> = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.DOTALL, s: RE2JS.DOTALL }
const maxText = 4096
const maxRepetitions = 1000

export type Variables = ReadonlyMap<string, string>

/** Whether `if` of a rule holds. A variable alone holds when it has a value that is not empty. */
export function evaluateExpression(text: string, variables: Variables): boolean {
  return holds(parseExpression(text), variables)
}

/** The reason why an expression is invalid; undefined for a valid one. */
export function findSyntaxError(text: string) {
  try {
    checkPatterns(parseExpression(text))
  } catch (error) {
    if (error instanceof InvalidConfig) return error.messages[0]
    throw error
  }
}

function holds(expression: Expression, variables: Variables): boolean {
  switch (expression.type) {
    case 'and':
      return holds(expression.left, variables) && holds(expression.right, variables)
    case 'or':
      return holds(expression.left, variables) || holds(expression.right, variables)
    case '==':
      return readValue(expression.left, variables) === readValue(expression.right, variables)
    case '!=':
      return readValue(expression.left, variables) !== readValue(expression.right, variables)
    case '=~':
      return matches(expression, variables)
    case '!~':
      return !matches(expression, variables)
    default:
      return Boolean(readValue(expression, variables))
  }
}

function readValue(expression: Expression, variables: Variables): unknown {
  if (expression.type === 'variable') return variables.get(expression.name)
  if (expression.type === 'text') return expression.value
  if (expression.type === 'null') return undefined
  if (expression.type === 'pattern') return `/${expression.source}/${expression.flags}`

  return holds(expression, variables)
}

/** The pattern may be the value of a variable. */
function matches({ left, right }: { left: Expression; right: Expression }, variables: Variables) {
  const text = readValue(left, variables)
  const pattern = right.type === 'pattern' ? right : patternIn(readValue(right, variables))

  return typeof text === 'string' && pattern !== undefined && compile(pattern).matcher(text.slice(0, maxText)).find()
}

function patternIn(value: unknown) {
  if (typeof value !== 'string' || !value.startsWith('/') || findSyntaxError(value)) return undefined
  const parsed = parseExpression(value)

  return parsed.type === 'pattern' ? parsed : undefined
}

function checkPatterns(expression: Expression): void {
  if (expression.type === 'pattern') compile(expression)
  if ('left' in expression) for (const side of [expression.left, expression.right]) checkPatterns(side)
}

/**
 * RE2 matches in linear time, whatever the pattern. Repetitions multiply its size, so they are bounded: the worst of the allowed
 * patterns takes about 50 ms.
 */
function compile({ source, flags }: { source: string; flags: string }) {
  const repetitions = [...source.matchAll(/\{(?:\d{1,9},)?(\d{1,9})/g)].map(([, count]) => Number(count))

  if (repetitions.reduce((sum, count) => sum + count, 0) > maxRepetitions) throw new InvalidConfig('the pattern has too many repetitions')

  try {
    return RE2JS.compile(
      source.replaceAll('\\/', '/'),
      [...flags].reduce((all, flag) => all | flagsOf[flag]!, RE2JS.MULTILINE)
    )
  } catch {
    throw new InvalidConfig('invalid expression syntax')
  }
}
