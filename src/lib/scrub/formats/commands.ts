import { redacted } from '../redacted.ts'
import type { SecretLikelihood } from '../secret-keys.ts'
import { bareValue, isEncoded, looksGenerated, noSpan, quotedValue, type Span } from '../secret-value.ts'

type Classify = (key: string) => SecretLikelihood

/** Words of prose that follow the name of an option: "--password is required". */
const prose =
  /^(?:is|are|was|to|and|or|for|from|with|without|in|on|as|of|if|when|must|may|can|cannot|has|should|option|options|flag|flags|argument|parameter|value|not|required|missing|invalid|unset|set|given)[.,;:!?)]{0,3}$/i

const option = /(?<![\w-])--?([A-Za-z][\w-]{1,39})(?:["'],? {0,4}(["'])|[ \t]{1,4}(["']?))(?!-)/g
const userOption = /(?<![\w-])(?:-[uU]|--user|--proxy-user)[=\s"',]{0,6}/g
const maxUser = 100
/** An option that the password follows at once, as the clients of databases and archives have it. */
const joined = /(?<![\w-])-p(?=\S)/g
const joinedCommand = /(?<!\w)(?:mysql|mariadb|sshpass|7za?|unrar|rar)[a-z_-]{0,20}["']?\s/i
const otherOptions = /^(?:thread|ipe|rint|ath|edantic|ort|rofile|rotocol|lugin|roxy|arallel|ackage)$/

/** Values of options in commands: `--password x`, `curl -u user:password`. */
export function scrubCommands(text: string, classify: Classify) {
  const withoutUsers = replaceSpans(text, userOption, passwordOf)

  const command = text.search(joinedCommand)
  const withoutJoined = replaceSpans(withoutUsers, joined, (text, match) =>
    joinedValue(text, match.index, command !== -1 && command < match.index)
  )

  return replaceSpans(withoutJoined, option, (text, match) => optionValue(text, match, classify))
}

const statement =
  /\b(?:(?:with|encrypted|unencrypted) {1,4}password|(?:user|role) {1,4}\S{1,64} {1,4}password|identified {1,4}by|identified {1,4}with {1,4}\S{1,64} {1,4}(?:by|as)) {1,4}(['"]?)/gi

/** `mysql -pS3cret`. Without a command that takes it so, the value must look like a password: `-p8080:80` and `-pthread` do not. */
function joinedValue(text: string, index: number, isExpected: boolean): Span {
  const start = index + '-p'.length
  const quote = text[start] === '"' || text[start] === "'" ? text[start] : undefined

  if (quote) return isExpected ? quotedValue(text, start + 1, quote) : noSpan

  return bareValue(text, start, value => !isEncoded(value) && (isExpected ? !isOther(value) : looksLikePassword(value)))
}

function isOther(value: string) {
  return /^\d{1,5}$/.test(value) || otherOptions.test(value)
}

function looksLikePassword(value: string) {
  return value.length >= 8 && /\d/.test(value) && /[a-z]/.test(value) && /[A-Z!@$%^*~]/.test(value) && !/[=:/]/.test(value)
}

/** Passwords in SQL: `CREATE USER ann WITH PASSWORD 'x'`, `IDENTIFIED BY 'x'`. */
export function scrubStatements(text: string) {
  if (!/assword|ASSWORD|dentified|DENTIFIED/.test(text)) return text

  return replaceSpans(text, statement, (text, { index, 0: head, 1: quote }) =>
    quote ? quotedValue(text, index + head.length, quote) : bareValue(text, index + head.length, looksGenerated)
  )
}

function optionValue(text: string, { index, 0: head, 1: name, 2: nextQuote, 3: quote }: RegExpExecArray, classify: Classify): Span {
  if (classify(name!) === 'none') return noSpan
  const start = index + head.length

  return (nextQuote ?? quote) ? quotedValue(text, start, (nextQuote ?? quote)!) : bareValue(text, start, value => !prose.test(value))
}

/** Excludes URLs, and the ids of a user and its group: `docker run -u 1000:1000`. */
function passwordOf(text: string, { index, 0: head }: RegExpExecArray): Span {
  const start = index + head.length
  const [user = ''] = /^[^\s:"'=/@]{1,100}:(?!\/\/)/.exec(text.slice(start, start + maxUser + 3)) ?? []
  const isId = /^\d+:$/.test(user)

  return user === '' ? noSpan : bareValue(text, start + user.length, value => !isId || !/^\d+$/.test(value))
}

function replaceSpans(text: string, pattern: RegExp, spanOf: (text: string, match: RegExpExecArray) => Span) {
  let result = ''
  let from = 0

  for (const match of text.matchAll(pattern)) {
    if (match.index < from) continue
    const [start, end] = spanOf(text, match)

    if (end <= start || text.startsWith(redacted, start)) continue
    result += text.slice(from, start) + redacted
    from = end
  }

  return from === 0 ? text : result + text.slice(from)
}
