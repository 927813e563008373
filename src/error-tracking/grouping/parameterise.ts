import { parameters } from './parameters.ts'

const maxLength = 8192
/** Each pattern by itself, for the linearity check of `npm run check`. */
export const alternatives = parameters.map(([, pattern]) => atWordStart(pattern))
const any = new RegExp(atWordStart(parameters.map(([, pattern]) => `(${pattern})`).join('|')), 'g')
/** A cheap test: text without these has no parameters. */
const hint = /[\d@=]|:\/\/|\.[a-z]|data:|eyJ/

function atWordStart(pattern: string) {
  return `(?<![A-Za-z0-9])(?:${pattern})`
}

/** Replaces the parts of a message that vary: `order <int> of <email>`. */
export function parameterise(text: string) {
  if (text.length > maxLength) return replaceAll(text.slice(0, maxLength)) + text.slice(maxLength)

  return replaceAll(text)
}

function replaceAll(text: string) {
  return hint.test(text) ? text.replace(any, nameOf) : text
}

function nameOf(...groups: unknown[]) {
  let n = 1

  while (groups[n] === undefined) n++

  return `<${parameters[n - 1]![0]}>`
}
