import { memoize } from '../memoize.ts'
import { scrubAssignments } from './assignments.ts'
import { scrubAuthorizations } from './formats/authorizations.ts'
import { scrubCards } from './formats/cards.ts'
import { scrubCommands, scrubStatements } from './formats/commands.ts'
import { scrubElements } from './formats/elements.ts'
import { scrubBankAccounts, scrubSocialSecurityNumbers } from './formats/identifiers.ts'
import { scrubInserts } from './formats/inserts.ts'
import { scrubMultipart } from './formats/multipart.ts'
import { scrubPathSecrets } from './formats/path-secrets.ts'
import { scrubPrivateKeys } from './formats/private-keys.ts'
import { scrubAmazonSecrets, scrubTokens } from './formats/tokens.ts'
import { scrubDataSources, scrubUrls, scrubWebhooks } from './formats/urls.ts'
import { has, type Scan, scan } from './scan.ts'
import { scrubEncoded, scrubJson } from './scrub-encoded.ts'
import { classifyKey, type SecretLikelihood } from './secret-keys.ts'
import type { TextRules } from './text-rules.ts'

const minTokenLength = 12
const amazonSecretLength = 40
const minPathSecret = 8
const minCardDigits = 13
/** `PASSWORD` */
const minStatementToken = 8
const minIdentifierDigits = 9
/** `pwd=a` is the shortest text with a secret. */
const minLength = 5

/**
 * Redacts secrets in text: private keys, passwords in URLs, HTTP credentials, tokens, numbers of cards, persons and
 * accounts, and, with `classify`, values assigned to secret keys, also in percent-encoding, JSON and base64. One pass
 * over the characters decides which scrubbers need to run.
 */
export function scrubText(text: string, rules: TextRules = {}) {
  if (text.length < minLength) return text
  const found = scan(text)
  const json = found.classes & has.bracketOfJson ? scrubJson(text, rules) : text
  const result = scrubPlain(json, found, rules.classify)

  return rules.classify ? scrubEncoded(result, found, rules, scrubText) : result
}

const defaultRules: TextRules = { classify: memoize(classifyKey, { max: 5000, maxLength: 64 }) }

/** Redacts secrets in messages of our own, such as errors and log lines. */
export function scrubMessage(text: string) {
  return scrubText(text, defaultRules)
}

/**
 * Redacts tokens of known formats and credentials in URLs, in what identifies something: keys, names of functions,
 * fingerprints. Words and numbers there are kept, because grouping and search rely on them.
 */
export function scrubName(text: string) {
  if (text.length < minTokenLength) return text

  return scrubTokens(scrubWebhooks(text.includes('@') ? scrubUrls(text) : text))
}

function scrubPlain(text: string, found: Scan, classify: TextRules['classify']) {
  let result = text

  if (found.classes & has.dash && text.length > 30) result = scrubPrivateKeys(result)
  if (found.classes & has.at) result = scrubDataSources(scrubUrls(result))
  if (found.classes & has.space && found.longestToken > 3) result = scrubAuthorizations(result)
  if (found.longestToken >= minTokenLength) result = scrubTokens(scrubWebhooks(result))
  if (found.longestBase64 >= amazonSecretLength) result = scrubAmazonSecrets(result)
  if (classify) result = scrubNamed(result, found, classify)
  if (found.digits >= minIdentifierDigits) result = scrubNumbers(result, found)

  return result
}

/** Values that names make secret. */
function scrubNamed(text: string, { classes, longestToken }: Scan, classify: (key: string) => SecretLikelihood) {
  let result = text

  if (classes & (has.equals | has.colon | has.bar)) result = scrubAssignments(result, classify)
  if (classes & has.bracket) result = scrubElements(result, classify)
  if (classes & has.dash) result = scrubCommands(result, classify)
  if (classes & has.dash && classes & has.equals) result = scrubMultipart(result, classify)
  if (classes & has.slash && longestToken >= minPathSecret) result = scrubPathSecrets(result, classify)
  if (classes & has.space && longestToken >= minStatementToken) result = scrubStatements(result)
  if (classes & has.space) result = scrubInserts(result, classify)

  return result
}

function scrubNumbers(text: string, { classes, digits }: Scan) {
  let result = classes & has.dash ? scrubSocialSecurityNumbers(text) : text

  result = scrubBankAccounts(result)

  return digits >= minCardDigits ? scrubCards(result) : result
}
