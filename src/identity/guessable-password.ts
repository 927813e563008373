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

/**
 * Whether a password is among the first that are tried: a common one, or little more than the user's names or that of
 * this software.
 */
export function isGuessable(password: string, { username, email, name = '' }: Owner) {
  const lowerCase = password.toLowerCase()
  const contexts = ['tocsin', username, email, email.split('@', 1)[0]!, ...name.split(' ')].map(word => word.toLowerCase())

  return isCommon(lowerCase) || contexts.some(word => word.length > 2 && isWeakWithout(word, lowerCase))
}

function isWeakWithout(word: string, password: string) {
  const rest = password.replaceAll(word, '')

  return rest !== password && (rest.length < minPasswordLength || isCommon(rest))
}

function isCommon(password: string) {
  // Eight digits are a date of birth, or as few guesses as one.
  return /^\d{8}$/.test(password) || commonPasswords.includes(`\n${password}\n`)
}
