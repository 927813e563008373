import { isolate } from './isolate.ts'

/** Escaped markup. */
export class Html {
  #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString() {
    return this.#text
  }
}

type Value = Html | string | number | boolean | null | undefined | Value[]

/** A template. Values are escaped, except for `Html`; null, undefined and booleans render nothing. */
export function html(strings: TemplateStringsArray, ...values: Value[]) {
  return new Html(strings.reduce((before, text, n) => before + markup(values[n - 1], before) + text))
}

/** Marks text without user input as markup. */
export function trusted(text: string) {
  return new Html(text)
}

/** Attributes of a tag: `true` renders the name only, `false` and undefined nothing. */
export function attributes(given: Record<string, string | number | boolean | undefined>) {
  return Object.entries(given)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? html` ${name}` : html` ${name}="${value}"`))
}

function markup(value: Value, before: string): string {
  if (value instanceof Html) return value.toString()
  if (Array.isArray(value)) return value.map(item => markup(item, before)).join('')
  if (value === null || value === undefined || typeof value === 'boolean') return ''

  return isolate(
    String(value).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`),
    before
  )
}
