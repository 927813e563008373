/** A cheap pre-check: a key without a match is not secret. */
const candidate =
  /pass|pwd|psw|kennwort|contrase|senha|secret|token|auth|cred|session|sessid|cookie|csrf|xsrf|jwt|bearer|otp|cvv|cvc|ssn|key|card|\.sid|code|sig|assertion|verifier|samlresp|pincode|social/i

/** Words that make a key secret anywhere in it. */
const secretWords =
  /passwor|passwd|passphrase|passcode|kennwort|contraseña|contrasena|secret(?!ar)|apikey|accesskey|privatekey|signingkey|encryptionkey|masterkey|sshkey|credential|authtoken|accesstoken|refreshtoken|csrf|xsrf|sessid|sessionid(?!le|en)|authorization|connectsid|creditcard|cardnumber|accountkey|storagekey|sharedaccesssignature|(?:amz|goog)signature|codeverifier|oauthverifier|clientassertion|samlresponse|(?:auth|authorization|device)code$|socialsecurity/

/** Last words that make a key secret. */
const secretEndings = /^(?:pass|pwd|psw|senha|auth|jwt|bearer|otp|cvv|cvc|ssn|pincode)$|(?:token|session|cookies?|csrf|xsrf|pwd)$/

/** Words that may follow a secret ending: a session id is as good as the session. */
const neutralEndings = new Set(['id', 'key', 'value', 'hash', 'data', 'header', 'headers', 'string', 'raw'])

/** Last words of keys that describe a secret and do not hold it, such as `token_type`. */
const metadataEndings = new Set(
  `count counts length size limit limits type types kind expiry expires expired expiration at in on ttl age timeout policy enabled disabled
  required changed valid status state name url uri path page form field fields label hint strength method version attempts used usage
  budget max min total per reset endpoint error errors exception failed missing created updated less protected required provider count`.split(
    /\s+/
  )
)

/** Last words of keys that hold a secret only when the value looks generated: an OAuth code, but not an error code. */
const ambiguousEndings = /^(?:sig|signature)$/

/** How likely a key holds a secret: `likely` by its last word, `sure` by any word, `possible` if the value looks generated. */
export type SecretLikelihood = 'none' | 'possible' | 'likely' | 'sure'

/** Classifies a key by its words in any notation: `apiKey`, `API_KEY`, `x-api-key`. */
export function classifyKey(key: string): SecretLikelihood {
  if (!candidate.test(key)) return 'none'
  const parts = wordsOf(key)
  const last = parts.at(-1) ?? ''

  if (metadataEndings.has(last)) return 'none'
  if (secretWords.test(parts.join(''))) return 'sure'
  const ending = neutralEndings.has(last) ? (parts.at(-2) ?? '') : last

  if (secretEndings.test(ending)) return 'likely'

  return ambiguousEndings.test(last) || parts.join() === 'code' ? 'possible' : 'none'
}

/** Whether the key names a session or credentials as a whole, so that an object below it has members of all kinds. */
export function isContainerKey(key: string) {
  return /(?:session|auth)$/.test(wordsOf(key).at(-1) ?? '')
}

/** Whether a member of a session or of credentials is what identifies them: `session.id`, `auth.key`. */
export function isContainerValue(key: string) {
  return neutralEndings.has(key.toLowerCase())
}

/** Whether the values of a key are identifiers: one in ten long numbers passes the checks of a card number. */
export function isIdKey(key: string) {
  return /^(?:[a-z]?ids?|[gu]uids?|nr|no|num|numbers?|refs?|references?|orders?|invoices?|tickets?|seq|sequence|offset|timestamp|time|ts|nonce|cursor|hash|trace|span|version|build|tracking|barcode|ean|isbn|imei|sku)$/.test(
    wordsOf(key).at(-1) ?? ''
  )
}

/** The lower-case words of a key, without trailing numbers. Reads the end of a very long key only. */
export function wordsOf(key: string) {
  return key
    .slice(-100)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map(word => word.replace(/(?<!\d)\d+$/, ''))
    .filter(Boolean)
}
