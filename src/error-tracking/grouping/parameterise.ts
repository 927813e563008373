import { parameters } from './parameters.ts'

const longest = 8192
/** Each pattern as it is matched; `npm run check` proves one at a time. */
export const alternatives = parameters.map(([, pattern]) => atWordStart(pattern))
const any = new RegExp(atWordStart(parameters.map(([, pattern]) => `(${pattern})`).join('|')), 'g')
/** Without any of these there is nothing to find. */
const hint = /[\d@=]|:\/\/|\.[a-z]|data:|eyJ/

function atWordStart(pattern: string) {
  return `(?<![A-Za-z0-9])(?:${pattern})`
}

/** The words of a message without what varies from one time to the next: `order <int> of <email>`. */
export function parameterise(text: string) {
  if (text.length > longest) return replaceAll(text.slice(0, longest)) + text.slice(longest)

  return replaceAll(text)
}

function replaceAll(text: string) {
  return hint.test(text) ? text.replace(any, nameOf) : text
}

function nameOf(...found: unknown[]) {
  let n = 1

  while (found[n] === undefined) n++

  return `<${parameters[n - 1]![0]}>`
}
