import { redacted } from '../redacted.ts'

const keyStart = '-----BEGIN '
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** Private keys in PEM (RFC 7468) and PGP armor; a truncated one extends to the end. Certificates are public. */
export function scrubPrivateKeys(text: string) {
  let result = ''
  let from = 0

  for (let start = text.indexOf(keyStart); start !== -1; start = text.indexOf(keyStart, Math.max(from, start + 1))) {
    if (!/^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.test(text.slice(start, start + 90))) continue
    keyEnd.lastIndex = start
    const end = keyEnd.exec(text) ? keyEnd.lastIndex : text.length

    result += text.slice(from, start) + redacted
    from = end
    if (end === text.length) break
  }

  return from === 0 ? text : result + text.slice(from)
}
