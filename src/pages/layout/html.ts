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
export function html({ raw }: TemplateStringsArray, ...values: Value[]) {
  return new Html(raw.map((text, n) => text + markup(values[n])).join(''))
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

function markup(value: Value): string {
  if (value instanceof Html) return value.toString()
  if (Array.isArray(value)) return value.map(markup).join('')
  if (value === null || value === undefined || typeof value === 'boolean') return ''

  return String(value).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
