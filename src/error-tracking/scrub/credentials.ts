/** What stands in a secret's place. */
export const filtered = '[Filtered]'

const keyBegin = '-----BEGIN '
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** Private keys in PEM (RFC 7468) and PGP's armour; one that is cut off goes to the end. Certificates are public. */
export function scrubPrivateKeys(text: string) {
  let result = ''
  let from = 0

  for (let start = text.indexOf(keyBegin); start !== -1; start = text.indexOf(keyBegin, Math.max(from, start + 1))) {
    if (!/^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.test(text.slice(start, start + 90))) continue
    keyEnd.lastIndex = start
    const end = keyEnd.exec(text) ? keyEnd.lastIndex : text.length

    result += text.slice(from, start) + filtered
    from = end
    if (end === text.length) break
  }

  return from === 0 ? text : result + text.slice(from)
}

/** The password of `scheme://user:password@host` (RFC 3986 §3.2.1), also one with an @ in it that should not be. */
export function scrubUrls(text: string) {
  let result = ''
  let from = 0

  for (let start = text.indexOf('://'); start !== -1; start = text.indexOf('://', start + 3)) {
    const [colon, last] = userinfo(text, start + 3)

    if (colon === -1 || last <= colon + 1 || text.startsWith(`${filtered}@`, colon + 1)) continue
    result += text.slice(from, colon + 1) + filtered
    from = last
  }

  return from === 0 ? text : result + text.slice(from)
}

/** The first colon and, behind it, the last @ of what may be a URL's authority. */
function userinfo(text: string, start: number): [colon: number, at: number] {
  let colon = -1
  let last = -1

  for (let n = start; n < text.length; n++) {
    const code = text.charCodeAt(n)

    if (code === 0x3a && colon === -1) colon = n
    else if (code === 0x40) last = n
    // White space, quotes, and / ? # < > end it.
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

  return colon !== -1 && last > colon ? [colon, last] : [-1, -1]
}

const scheme = /(?<![\w-])(bearer|basic)(\s{1,4}|%20|\+)([\w.~+/-]{6,}={0,2})/gi

/** RFC 6750 and RFC 7617, wherever somebody logs a header; not the mere words. */
export function scrubSchemes(text: string) {
  if (!/[Ee]arer|EARER|[Bb]asic|BASIC/.test(text)) return text

  return text.replace(scheme, (all, name: string, gap: string, value: string) =>
    (name.length === 5 ? isUserAndPassword(value) : isToken(value)) ? `${name}${gap}${filtered}` : all
  )
}

function isUserAndPassword(value: string) {
  return /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value.slice(0, 1000), 'base64').toString('latin1'))
}

function isToken(value: string) {
  return value.length >= 24 || /\d/.test(value)
}

const tokenForms = [
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
  // Amazon, Google, Azure, DigitalOcean, Cloudflare's kin
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
  // Telegram's bots
  '\\d{8,10}:AA[\\w-]{30,}'
]

/** Each form as it is matched; `npm run check` proves one at a time. */
export const alternatives = tokenForms.map(tokenPattern)
const tokens = new RegExp(tokenPattern(tokenForms.join('|')), 'g')

/**
 * Tokens that can be told by how they begin. Each run of their characters is tried from its beginning only, so that
 * none is read more than once, and replaced to its end.
 */
function tokenPattern(form: string) {
  return `(?<![A-Za-z0-9_-])(?:${form})[\\w-]*`
}

export function scrubTokens(text: string) {
  return text.replace(tokens, filtered)
}
