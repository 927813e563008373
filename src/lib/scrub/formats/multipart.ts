import { redacted } from '../redacted.ts'
import type { SecretLikelihood } from '../secret-keys.ts'

const field = /form-data;[ \t]{0,4}name="([^"\r\n]{1,100})"/gi
/** Tags and names of transactions are single lines: spaces replace the line breaks. */
const blankLine = /\r?\n\r?\n|(?<! ) {2}(?: {2})?(?! )/
/** Other headers of a field follow its name. */
const maxHeaders = 1000

/** The fields of multipart forms whose names are secret keys: `Content-Disposition: form-data; name="password"`. */
export function scrubMultipart(text: string, classify: (key: string) => SecretLikelihood) {
  if (!/form-data/i.test(text)) return text
  let result = ''
  let from = 0

  for (const { index, 0: head, 1: name } of text.matchAll(field)) {
    if (index < from || classify(name!) === 'none') continue
    const start = startOfValue(text, index + head.length)

    if (start === -1 || text.startsWith(redacted, start)) continue
    const end = endOfValue(text, start)

    if (end <= start) continue
    result += text.slice(from, start) + redacted
    from = end
  }

  return from === 0 ? text : result + text.slice(from)
}

/** Behind the blank line that ends the headers. */
function startOfValue(text: string, from: number) {
  const match = blankLine.exec(text.slice(from, from + maxHeaders))

  return match ? from + match.index + match[0].length : -1
}

/** At the boundary, or at the end of a text that was cut off. */
function endOfValue(text: string, start: number) {
  const rest = /\r?\n--| {1,2}--/.exec(text.slice(start))

  return rest ? start + rest.index : text.length
}
