/** Markup that may stand in a page as it is. */
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

/** A piece of a page. What is put in is escaped, unless it is such a piece itself; nothing, true and false leave no trace. */
export function html({ raw }: TemplateStringsArray, ...values: Value[]) {
  return new Html(raw.map((text, n) => text + markup(values[n])).join(''))
}

/** Markup that somebody else made, and that nobody's input is in. */
export function trusted(text: string) {
  return new Html(text)
}

/** The attributes of a tag: `true` is one without a value, `false` and nothing leave it out. */
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
