import { endOfString } from '#lib/json-depth.ts'

const token = /-?\b(?:NaN|Infinity)\b/g

/** Replaces NaN and Infinity outside of strings, which Python's json module writes, by null. */
export function replaceNonNumbers(text: string) {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text
  const pieces: string[] = []

  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from)
    const start = quote === -1 ? text.length : quote
    const end = quote === -1 ? text.length : endOfString(text, quote) + 1

    pieces.push(text.slice(from, start).replace(token, 'null'), text.slice(start, end))
    from = end
  }

  return pieces.join('')
}
