import { endOfString } from '../../lib/json-depth.ts'

const token = /-?\b(?:NaN|Infinity)\b/g

/** Python's json and its kin write NaN and Infinity where JSON has nothing: null, outside of strings. */
export function replaceNonNumbers(text: string) {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text
  const pieces: string[] = []

  for (let from = 0; from < text.length; ) {
    const opening = text.indexOf('"', from)
    const until = opening === -1 ? text.length : opening
    const end = opening === -1 ? text.length : endOfString(text, opening) + 1

    pieces.push(text.slice(from, until).replace(token, 'null'), text.slice(until, end))
    from = end
  }

  return pieces.join('')
}
