const escapes = /(?:%[0-9A-Fa-f]{2})+/g

/** Decodes percent-encoding (RFC 3986 §2.1) and leaves invalid escapes as they are. */
export function decodePercent(text: string) {
  return text.replace(escapes, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
}

const entities: Record<string, string> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  '#34': '"',
  '#39': "'",
  '#x22': '"',
  '#x27': "'"
}
const escaped = /\\u00([2-7][0-9a-f])|&(quot|amp|lt|gt|apos|#34|#39|#x22|#x27);/gi

/** Decodes the escapes of JSON and HTML for ASCII characters. */
export function decodeEscapes(text: string) {
  return text.replace(escaped, (_, hex: string | undefined, entity: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : entities[entity.toLowerCase()]!
  )
}

/** A run of base64 that encodes text, from its first to its last such character. */
export interface EncodedText {
  start: number
  end: number
  text: string
}

const base64Run = /[A-Za-z0-9+/_-]{20,}={0,2}/g
const peekLength = 24
/** Characters that are no text, and the replacement of invalid UTF-8. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/

/** Finds base64 and base64url (RFC 4648) that encode text. */
export function* findBase64(text: string): Generator<EncodedText> {
  for (const { index, 0: run } of text.matchAll(base64Run)) {
    const offset = startOfText(run)

    if (offset !== -1) yield { start: index + offset, end: index + run.length, text: decodeText(run.slice(offset)) }
  }
}

/** Base64 may follow the segments of a path, because a slash is one of its characters. */
function startOfText(run: string) {
  for (let start = 0; start !== -1 && run.length - start >= 20; start = run.indexOf('/', start) + 1 || -1)
    if (mayBeText(run, start) && isText(run.slice(start, start + peekLength))) return start

  return -1
}

/** The first of four characters is A to Z or a to f when the byte is ASCII. */
function mayBeText(run: string, start: number) {
  return [0, 4, 8].every(offset => isLowSextet(run.charCodeAt(start + offset)))
}

function isLowSextet(code: number) {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x66)
}

function isText(encoded: string) {
  return !controls.test(withoutLast(Buffer.from(encoded, 'base64').toString('utf8')))
}

/** The peeked bytes may end within a character. */
function withoutLast(text: string) {
  return text.replace(/\ufffd{1,3}$/, '')
}

/** Decodes up to the first character that is no text: something else may follow. */
function decodeText(encoded: string) {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const end = text.search(controls)

  return end === -1 ? text : text.slice(0, end)
}
