import { readFileSync } from 'node:fs'
import { minPasswordLength } from './secrets.ts'

/** Sorted, in lower case, one per line: those of at least 8 characters among the 12,000 most common passwords of zxcvbn-ts (MIT). */
const commonPasswords = `\n${readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')}`

/** Words that an attacker tries first for a user. */
interface Owner {
  username: string
  email: string
  name?: string
}

/** Common words that are shorter than a password, and get a year or 123 at the end. */
const shortWords = [
  ...['admin', 'login', 'letmein', 'master', 'qwerty', 'secret', 'test', 'welcome'],
  ...['spring', 'summer', 'autumn', 'winter', 'january', 'february', 'march', 'april', 'june', 'july', 'august'],
  ...['october', 'november', 'december', 'monday', 'tuesday', 'thursday', 'friday', 'saturday', 'sunday']
]

/**
 * Whether a password is among the first that are tried: a common one, or little more than the user's names or that of
 * this software.
 */
export function isGuessable(password: string, { username, email, name = '' }: Owner) {
  const lowerCase = password.toLowerCase()
  const contexts = ['tocsin', username, email, email.split('@', 1)[0]!, ...name.split(' ')].map(word => word.toLowerCase())

  return isDecorated(lowerCase) || isRepetition(lowerCase) || contexts.some(word => word.length > 2 && isWeakWithout(word, lowerCase))
}

function isWeakWithout(word: string, password: string) {
  const rest = password.replaceAll(word, '')

  return rest !== password && (rest.length < minPasswordLength || isCommon(rest))
}

/** A common password or word, with digits and punctuation before or after it. */
function isDecorated(password: string) {
  const [word = '', ...others] = password.match(/[a-z]+/g) ?? []

  return isCommon(password) || (others.length === 0 && (isCommon(word) || shortWords.includes(word)))
}

function isRepetition(password: string) {
  const unit = password.slice(0, `${password}${password}`.indexOf(password, 1))

  return unit !== password && (unit.length < minPasswordLength || isCommon(unit))
}

function isCommon(password: string) {
  // Eight digits are a date of birth, or as few guesses as one.
  return /^\d{8}$/.test(password) || commonPasswords.includes(`\n${password}\n`)
}
