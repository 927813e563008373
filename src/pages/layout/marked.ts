import { type Html, html } from './html.ts'

const before = 40
const maxLength = 160

/** A text with the searched words marked. */
export function marked(text: string, search: string): Html {
  const words = wordsIn(text.toLowerCase(), search)
  const parts: (Html | string)[] = []
  let rest = text

  while (rest !== '') {
    const lower = rest.toLowerCase()
    const [start, word = ''] = firstOf(lower, words)

    // Lower case may be longer than the text: then nothing is marked.
    if (start === undefined || lower.length !== rest.length) break
    parts.push(rest.slice(0, start), html`<mark>${rest.slice(start, start + word.length)}</mark>`)
    rest = rest.slice(start + word.length)
  }

  return html`${parts}${rest}`
}

/** The part of the first matching text around what was searched, marked; undefined if none matches. */
export function excerpt(texts: (string | null | undefined)[], search: string) {
  const text = texts.find(one => one && wordsIn(one.toLowerCase(), search).length > 0)

  if (!text) return undefined
  const [start = 0] = firstOf(text.toLowerCase(), wordsIn(text.toLowerCase(), search))
  const from = start > before ? start - before : 0
  const part = text.slice(from, from + maxLength).replaceAll(/\s+/g, ' ')

  return html`${from > 0 && '… '}${marked(part, search)}${from + maxLength < text.length && ' …'}`
}

/** The whole search, if the text has it, or else its words that the text has. */
function wordsIn(lower: string, search: string) {
  const searched = search.toLowerCase().trim()

  if (searched === '') return []

  return lower.includes(searched) ? [searched] : searched.split(/\s+/).filter(word => lower.includes(word))
}

function firstOf(lower: string, words: string[]): [start?: number, word?: string] {
  const found = words.map((word): [number, string] => [lower.indexOf(word), word]).filter(([start]) => start >= 0)

  return found.sort(([one], [other]) => one - other)[0] ?? []
}
