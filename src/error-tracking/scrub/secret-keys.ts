/** A quick look that spares most keys the slower one. */
const maybe =
  /pass|pwd|psw|kennwort|contrase|senha|secret|token|auth|cred|session|sessid|cookie|csrf|xsrf|jwt|bearer|otp|cvv|cvc|ssn|key|card|\.sid/i

/** Wherever in a key they stand, what it names is a secret. */
const telling =
  /passwor|passwd|passphrase|passcode|kennwort|contraseña|contrasena|secret(?!ar)|apikey|accesskey|privatekey|signingkey|encryptionkey|masterkey|sshkey|credential|authtoken|accesstoken|refreshtoken|csrf|xsrf|sessid|sessionid(?!le|en)|authorization|connectsid|creditcard|cardnumber/

/** Secrets when they are what the key ends with. */
const closing = /^(?:pass|pwd|psw|senha|auth|jwt|bearer|otp|cvv|cvc|ssn|pincode)$|(?:token|session|cookies?|csrf|xsrf|pwd)$/

/** After one of those they belong to it: a session's id is as good as the session. */
const belonging = new Set(['id', 'key', 'value', 'hash', 'data', 'header', 'headers', 'string', 'raw'])

/** A key that ends so tells something about a secret, not the secret. */
const about = new Set(
  `count counts length size limit limits type types kind expiry expires expired expiration at in on ttl age timeout policy enabled disabled
  required changed valid status state name url uri path page form field fields label hint strength method version attempts used usage
  budget max min total per reset endpoint error errors exception failed missing created updated less protected required provider count`.split(
    /\s+/
  )
)

/** How sure a key is of naming a secret: not at all, by its last word only, or by any of them. */
export type SecretLikelihood = 'none' | 'likely' | 'sure'

/** Judges a key by its words, however they are joined: `apiKey`, `API_KEY`, `x-api-key`. */
export function judgeKey(key: string): SecretLikelihood {
  if (!maybe.test(key)) return 'none'
  const words = wordsOf(key)
  const last = words.at(-1) ?? ''

  if (about.has(last)) return 'none'
  if (telling.test(words.join(''))) return 'sure'
  const word = belonging.has(last) ? (words.at(-2) ?? '') : last

  return closing.test(word) ? 'likely' : 'none'
}

/** Its words in lower case, without the numbers they end with. Of a very long key the end has to do. */
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
