import { redacted } from '../redacted.ts'
import type { SecretLikelihood } from '../secret-keys.ts'

const opening = /<(?:[\w.-]{1,40}:)?([A-Za-z_][\w.-]{1,63})(?:\s[^<>]{0,300})?>(?:<!\[CDATA\[)?/g

/** The text of XML and HTML elements whose names are secret keys: `<password>…</password>`. */
export function scrubElements(text: string, classify: (key: string) => SecretLikelihood) {
  if (!text.includes('</') && !text.includes(']]>')) return text
  let result = ''
  let from = 0

  for (const { index, 0: tag, 1: name } of text.matchAll(opening)) {
    const start = index + tag.length

    if (start < from || text.startsWith(redacted, start) || classify(name!) === 'none') continue
    const end = endOfText(text, start, tag.endsWith('['))

    // A name in angle brackets may be a placeholder: `<token> expected`.
    if (end === -1 || text.slice(start, end).trim() === '') continue
    result += text.slice(from, start) + redacted
    from = end
  }

  return from === 0 ? text : result + text.slice(from)
}

/** -1 when the element is not closed. */
function endOfText(text: string, start: number, isCdata: boolean) {
  const end = text.indexOf(isCdata ? ']]>' : '<', start)

  return isCdata || text[end + 1] === '/' ? end : -1
}
