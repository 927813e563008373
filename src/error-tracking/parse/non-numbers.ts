const token = /-?\b(?:NaN|Infinity)\b/g

/** Python's json and its kin write NaN and Infinity where JSON has nothing: null, outside of strings. */
export function replaceNonNumbers(text: string) {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text
  const pieces: string[] = []

  for (let from = 0; from < text.length; ) {
    const opening = text.indexOf('"', from)
    const until = opening === -1 ? text.length : opening
    const end = endOfString(text, until)

    pieces.push(text.slice(from, until).replace(token, 'null'), text.slice(until, end))
    from = end
  }

  return pieces.join('')
}

/** After the closing quote; a quote after an odd number of backslashes is not one. */
function endOfString(text: string, start: number) {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)

    if (code === 0x22) return at + 1
    if (code === 0x5c) at++
  }

  return text.length
}
