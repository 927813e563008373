/** Control characters except tabs and line breaks, embeddings, overrides and isolates, which may reach beyond their text. */
const invisible = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g
/** Direction marks, and characters that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\u200e\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Elements with text only. */
const plainElements = new Set(['title', 'option'])

/**
 * Senders choose texts of pages: invisible characters are made visible, and a text from right to left does not reorder the page
 * around it. Attributes and text areas keep their value, which forms send back; browsers isolate them.
 */
export function isolate(escaped: string, before: string) {
  if (!rightToLeft.test(escaped) && escaped.search(invisible) === -1) return escaped
  const element = elementAt(before)

  if (element === undefined || element === 'textarea') return escaped
  const text = showInvisible(escaped)

  return plainElements.has(element) ? text : `<bdi>${text}</bdi>`
}

/** Makes invisible characters visible in text that is rendered elsewhere. */
export function showInvisible(text: string) {
  return text.replace(invisible, makeVisible)
}

/** The last tag before a value; undefined inside a tag. Values contain no tags, because they are escaped. */
function elementAt(before: string) {
  const start = before.lastIndexOf('<')

  // A template without a tag may be an attribute.
  if (start === -1) return before.endsWith('="') ? undefined : ''
  const tag = before.slice(start + 1)

  return tag.includes('>') ? /^\w*/.exec(tag)![0] : undefined
}

/** U+001B as ␛, others as their code point. */
function makeVisible(character: string) {
  const code = character.charCodeAt(0)

  if (code < 0x20) return String.fromCharCode(0x2400 + code)

  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}
