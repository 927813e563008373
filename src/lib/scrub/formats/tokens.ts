import { redacted } from '../redacted.ts'

const tokenFormats = [
  // JSON Web Tokens (RFC 7519), signed or encrypted
  'eyJ[\\w-]{8,}(?:\\.[\\w-]*){2,4}',
  // GitHub, GitLab
  'gh[pousr]_[A-Za-z0-9]{16,}',
  'github_pat_\\w{16,}',
  'gl(?:pat|ptt|dt|oas|rt|rtr|ft|imt|cbt|agent|soat|ffct|wt)-[\\w.-]{12,}',
  // The keys of our own clients
  'glet_[0-9a-f]{16,}',
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
  '(?:bot)?\\d{8,10}:AA[\\w-]{30,}'
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

const run = /[A-Za-z0-9+/_=-]{40,}/g
const amazonLength = 40
const minSwitches = 16

/** Amazon's secret access keys have no mark but their length: one is all of a run of characters, or whole segments of a path. */
export function scrubAmazonSecrets(text: string) {
  return text.replace(run, scrubRun)
}

function scrubRun(characters: string) {
  let result = ''
  let from = 0

  for (let start = 0; start !== -1; start = nextPart(characters, Math.max(from, start))) {
    const end = start + amazonLength

    if (end > characters.length) break
    if ((end < characters.length && characters[end] !== '/') || !isRandom(characters.slice(start, end))) continue
    result += characters.slice(from, start) + redacted
    from = end
  }

  return result + characters.slice(from)
}

/** After the next slash or equals sign; -1 when there is none. */
function nextPart(characters: string, start: number) {
  const at = characters.slice(start).search(/[/=]/)

  return at === -1 ? -1 : start + at + 1
}

/** Upper case, lower case and digits take turns far more often than in names and paths. Sums in hexadecimal have one case. */
function isRandom(part: string) {
  const kinds = Array.from(part, kindOf)
  const switches = kinds.filter((kind, n) => n > 0 && kind !== kinds[n - 1]).length

  return switches >= minSwitches && ['upper', 'lower', 'digit'].every(kind => kinds.includes(kind)) && !/[_=-]/.test(part)
}

function kindOf(character: string): string {
  if (/[A-Z]/.test(character)) return 'upper'
  if (/[a-z]/.test(character)) return 'lower'

  return /\d/.test(character) ? 'digit' : 'sign'
}
