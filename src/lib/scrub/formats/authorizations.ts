import { redacted } from '../redacted.ts'

const candidate = /[Ee]arer|EARER|[Bb]asic|BASIC|[Dd]igest|DIGEST|NTLM|egotiate/
const credentials = /(?<![\w-])(bearer|basic|ntlm|negotiate)(\s{1,4}|%20|\+)([\w.~+/-]{6,}={0,2})/gi
const digest = /(?<![\w-])digest(?:\s{1,4}|%20|\+)(?=\w{1,32}=)/gi
const digestParameter = /[\s,]{0,4}\w{1,32}=(?:\\{0,8}"[^"\\\r\n]*\\{0,8}"|[^\s",;\\]+)/y

/** HTTP credentials in logged headers (RFC 6750, 7617, 7616, 4559), and not these words in prose. */
export function scrubAuthorizations(text: string) {
  if (!candidate.test(text)) return text

  return scrubDigests(
    text.replace(credentials, (match, scheme: string, gap: string, value: string) =>
      isCredential(scheme, value) ? `${scheme}${gap}${redacted}` : match
    )
  )
}

function isCredential(scheme: string, value: string) {
  if (/^basic$/i.test(scheme)) return isUserAndPassword(value) || isUserAndPassword(value.split('/')[0]!)

  return value.length >= 24 || (/\d/.test(value) && !/^(?:ntlm|negotiate)$/i.test(scheme))
}

function isUserAndPassword(value: string) {
  return /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value.slice(0, 1000), 'base64').toString('latin1'))
}

/** All parameters of Digest credentials: an offline attack needs no more than these. */
function scrubDigests(text: string) {
  let result = ''
  let from = 0

  for (const { index, 0: scheme } of text.matchAll(digest)) {
    const start = index + scheme.length
    const end = start < from ? start : endOfParameters(text, start)

    if (end === start || !/\bresponse=/i.test(text.slice(start, end))) continue
    result += text.slice(from, start) + redacted
    from = end
  }

  return from === 0 ? text : result + text.slice(from)
}

function endOfParameters(text: string, start: number) {
  let end = start

  for (digestParameter.lastIndex = start; digestParameter.test(text); end = digestParameter.lastIndex);

  return end
}
