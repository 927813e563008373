/** Replaces a secret. */
export const redacted = '[Filtered]'

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

/** The password of `scheme://user:password@host` (RFC 3986 §3.2.1), even with an unescaped @. */
export function scrubUrls(text: string) {
  let result = ''
  let from = 0

  for (let start = text.indexOf('://'); start !== -1; start = text.indexOf('://', start + 3)) {
    const [colon, end] = userinfo(text, start + 3)

    if (colon === -1 || end <= colon + 1 || text.startsWith(`${redacted}@`, colon + 1)) continue
    result += text.slice(from, colon + 1) + redacted
    from = end
  }

  return from === 0 ? text : result + text.slice(from)
}

/** The first colon of a URL's authority, and the last @ after it. */
function userinfo(text: string, start: number): [colon: number, at: number] {
  let colon = -1
  let at = -1

  for (let n = start; n < text.length; n++) {
    const code = text.charCodeAt(n)

    if (code === 0x3a && colon === -1) colon = n
    else if (code === 0x40) at = n
    // White space, quotes, and / ? # < > end the authority.
    else if (
      code <= 0x20 ||
      code === 0x2f ||
      code === 0x3f ||
      code === 0x23 ||
      code === 0x22 ||
      code === 0x27 ||
      code === 0x3c ||
      code === 0x3e
    )
      break
  }

  return colon !== -1 && at > colon ? [colon, at] : [-1, -1]
}

const authorization = /(?<![\w-])(bearer|basic)(\s{1,4}|%20|\+)([\w.~+/-]{6,}={0,2})/gi

/** Bearer and Basic credentials (RFC 6750, RFC 7617) in logged headers, and not these words in prose. */
export function scrubAuthorizations(text: string) {
  if (!/[Ee]arer|EARER|[Bb]asic|BASIC/.test(text)) return text

  return text.replace(authorization, (match, scheme: string, gap: string, value: string) =>
    (scheme.length === 'basic'.length ? isUserAndPassword(value) : isToken(value)) ? `${scheme}${gap}${redacted}` : match
  )
}

function isUserAndPassword(value: string) {
  return /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value.slice(0, 1000), 'base64').toString('latin1'))
}

function isToken(value: string) {
  return value.length >= 24 || /\d/.test(value)
}

const tokenFormats = [
  // JSON Web Tokens (RFC 7519), signed or encrypted
  'eyJ[\\w-]{8,}(?:\\.[\\w-]*){2,4}',
  // GitHub, GitLab
  'gh[pousr]_[A-Za-z0-9]{16,}',
  'github_pat_\\w{16,}',
  'gl(?:pat|ptt|dt|oas|rt|rtr|ft|imt|cbt|agent|soat|ffct|wt)-[\\w.-]{12,}',
  // Stripe, Slack, SendGrid, Shopify, Square, Mailgun, Twilio
  '[sr]k_(?:live|test)_\\w{10,}',
  'whsec_[\\w+/]{16,}',
  'xox[a-z]-[\\w-]{10,}',
  'xapp-[\\w-]{10,}',
  'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}',
  'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32,}',
  'sq0[a-z]{3}-[\\w-]{22,}',
  'key-[0-9a-f]{32}',
  'SK[0-9a-f]{32}',
  // Amazon, Google, DigitalOcean
  'A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}',
  'AIza[\\w-]{35}',
  'ya29\\.[\\w-]{20,}',
  'GOCSPX-[\\w-]{20,}',
  'do[opr]_v1_[0-9a-f]{32,}',
  // Package registries, Docker, Vault, Hugging Face, Anthropic, OpenAI, age, Atlassian, Linear, Sentry
  'npm_[A-Za-z0-9]{30,}',
  'pypi-[\\w-]{40,}',
  'rubygems_[0-9a-f]{32,}',
  'dckr_pat_[\\w-]{20,}',
  'hv[sb]\\.[\\w-]{20,}',
  'hf_[A-Za-z0-9]{30,}',
  'sk-(?:ant-|proj-|svcacct-)[\\w-]{16,}',
  'sk-[A-Za-z0-9]{32,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{20,}',
  'ATATT[\\w-]{40,}',
  'lin_api_\\w{20,}',
  'sntr[yu]s_[\\w+/=-]{20,}',
  // Telegram bots
  '\\d{8,10}:AA[\\w-]{30,}'
]

/** Each format by itself, for the linearity check of `npm run check`. */
export const alternatives = tokenFormats.map(tokenPattern)
const tokens = new RegExp(tokenPattern(tokenFormats.join('|')), 'g')

/** Matches only at the start of a run of token characters, so that matching is linear, and to its end. */
function tokenPattern(format: string) {
  return `(?<![A-Za-z0-9_-])(?:${format})[\\w-]*`
}

export function scrubTokens(text: string) {
  return text.replace(tokens, redacted)
}
