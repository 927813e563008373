import { parameters, previousPatterns } from './parameters.ts'

const maxLength = 8192
/** A cheap test: text without these has no parameters. */
const hint = /[\d@=]|:\/\/|\.[a-z]|data:|eyJ|[A-Fa-f]{2}[:-][A-Fa-f]{2}[:-]/
const previous: typeof parameters = parameters.map(([name, pattern], n) => [name, previousPatterns[n] ?? pattern])

/** Each pattern by itself, for the linearity check of `npm run check`. */
export const alternatives = [...new Set([...parameters, ...previous].map(([, pattern]) => atWordStart(pattern)))]

/** Replaces the parts of a message that vary: `order <int> of <email>`. */
export const parameterise = replacer(parameters)
/** By the patterns of the grouping version before. */
export const parameterisePrevious = replacer(previous)

function replacer(patterns: typeof parameters) {
  const any = new RegExp(atWordStart(patterns.map(([, pattern]) => `(${pattern})`).join('|')), 'g')
  const nameOf = (...groups: unknown[]) => `<${patterns[groups.findIndex((group, n) => n > 0 && group !== undefined) - 1]![0]}>`
  const replaceAll = (text: string) => (hint.test(text) ? text.replace(any, nameOf) : text)

  return (text: string) => (text.length > maxLength ? replaceAll(text.slice(0, maxLength)) + text.slice(maxLength) : replaceAll(text))
}

function atWordStart(pattern: string) {
  return `(?<![A-Za-z0-9])(?:${pattern})`
}
