import { redacted } from '../redacted.ts'

/** Secrets in URLs: passwords and tokens before the host (RFC 3986 §3.2.1), and the paths of webhooks. */
export function scrubUrls(text: string) {
  let result = ''
  let from = 0

  for (let start = text.indexOf('://'); start !== -1; start = text.indexOf('://', start + 3)) {
    const [secretStart, end] = secretOf(text, start)

    if (end <= secretStart || text.startsWith(`${redacted}@`, secretStart)) continue
    result += text.slice(from, secretStart) + redacted
    from = end
  }

  return from === 0 ? text : result + text.slice(from)
}

/** Bounds of the secret in the userinfo of the URL whose `://` is at `start`. */
function secretOf(text: string, start: number): [start: number, end: number] {
  const [colon, at] = userinfo(text, start + 3)

  if (at === -1) return [0, 0]
  if (colon !== -1) return [colon + 1, at]
  const user = text.slice(start + 3, at)

  return /https?$/i.test(text.slice(Math.max(0, start - 5), start)) && isToken(user) && !isDsn(user, text.slice(at + 1, at + 300))
    ? [start + 3, at]
    : [0, 0]
}

function isToken(user: string) {
  return user.length >= 20 || (user.length >= 8 && /\d/.test(user))
}

/** The public key of a DSN of Sentry is not secret; our own keys are scrubbed as tokens. */
function isDsn(user: string, rest: string) {
  return /^[0-9a-f]{16,64}$/.test(user) && /^[^\s"'<>?#]{1,255}\/\d{1,20}(?!\w)/.test(rest)
}

/** The first colon of a URL's authority, and the last @, even an unescaped one; -1 for a colon after the @. */
function userinfo(text: string, start: number): [colon: number, at: number] {
  let colon = -1
  let at = -1

  for (let n = start; n < text.length; n++) {
    const code = text.charCodeAt(n)

    if (code === 0x3a && colon === -1) colon = n
    else if (code === 0x40) at = n
    else if (endsAuthority(code)) break
  }

  return [at > colon ? colon : -1, at]
}

// White space, quotes, and / ? # < >
function endsAuthority(code: number) {
  return code <= 0x20 || code === 0x2f || code === 0x3f || code === 0x23 || code === 0x22 || code === 0x27 || code === 0x3c || code === 0x3e
}

const maxDataSource = 300
const goAddress = /@(?:tcp|udp|unix)6?\(/g

/** The password of a data source of Go's MySQL driver: `user:password@tcp(host:3306)/name`. */
export function scrubDataSources(text: string) {
  let result = ''
  let from = 0

  for (const { index } of text.matchAll(goAddress)) {
    const name = wordBefore(text, index, from)
    const colon = name.indexOf(':')

    if (colon === -1 || colon === name.length - 1 || name.endsWith(`:${redacted}`)) continue
    result += text.slice(from, index - name.length + colon + 1) + redacted
    from = index
  }

  return from === 0 ? text : result + text.slice(from)
}

function wordBefore(text: string, end: number, from: number) {
  let start = end

  while (start > from && end - start < maxDataSource && !/[\s"'`]/.test(text[start - 1]!)) start--

  return text.slice(start, end)
}

/** The URL of a webhook is its credential: Slack, Discord, Microsoft Teams, Zapier, IFTTT, Make. */
const webhook =
  /(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/|\.webhook\.office\.com\/webhookb?2?\/|outlook\.office\.com\/webhook\/|hooks\.zapier\.com\/hooks\/catch\/\d{1,12}\/|maker\.ifttt\.com\/trigger\/\w{1,60}\/with\/key\/|hook\.(?:eu|us)\d\.make\.com\/)[\w@/-]+/gi

export function scrubWebhooks(text: string) {
  return text.includes('hook') || text.includes('ifttt') ? text.replace(webhook, `$1${redacted}`) : text
}
