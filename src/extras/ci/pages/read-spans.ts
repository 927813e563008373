/** How a terminal shows text. Colours are those of the palette, 0 to 15. */
export interface Style {
  color?: number | undefined
  background?: number | undefined
  isBold?: boolean
  isInverse?: boolean
}

/** A text in one style. */
export interface Span {
  text: string
  style: Style
}

/** A control sequence (ECMA-48, 8.3) with its parameters and final character; a title or link of the terminal; another escape. */
const sequence = /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g

/** The spans of a line that begins in a style, and the style at its end. */
export function readSpans(line: string, given: Style): { spans: Span[]; style: Style } {
  const spans: Span[] = []
  let style = given
  let at = 0
  const add = (end: number) => {
    if (end > at) spans.push({ text: line.slice(at, end), style })
  }

  for (const match of line.matchAll(sequence)) {
    add(match.index)
    at = match.index + match[0].length
    if (match[2] === 'm') style = restyle(style, match[1]!)
  }
  add(line.length)

  return { spans, style }
}

/** Without its control sequences. */
export function withoutEscapes(line: string) {
  return line.replace(sequence, '')
}

/** After a sequence such as `1;31`: Select Graphic Rendition. */
function restyle(given: Style, parameters: string) {
  const codes = parameters.split(';').map(code => (/^\d{0,3}$/.test(code) ? Number(code) : Number.NaN))
  let style = given

  for (let n = 0; n < codes.length; n++) {
    const code = codes[n]!

    if (code === 38 || code === 48) {
      style = { ...style, [code === 38 ? 'color' : 'background']: codes[n + 1] === 5 ? basicColor(codes[n + 2]) : undefined }
      n += codes[n + 1] === 5 ? 2 : codes[n + 1] === 2 ? 4 : 0
    } else style = code === 0 ? {} : { ...style, ...changeOf(code) }
  }

  return style
}

function changeOf(code: number): Style {
  if (code === 1 || code === 22) return { isBold: code === 1 }
  if (code === 7 || code === 27) return { isInverse: code === 7 }
  if (code >= 30 && code <= 39) return { color: basicColor(code - 30, 7) }
  if (code >= 40 && code <= 49) return { background: basicColor(code - 40, 7) }
  if (code >= 90 && code <= 97) return { color: code - 82 }
  if (code >= 100 && code <= 107) return { background: code - 92 }

  return {}
}

/** One of the 16 of the palette; others, and the default, are undefined. */
function basicColor(index: number | undefined, last = 15) {
  return index !== undefined && index <= last ? index : undefined
}
