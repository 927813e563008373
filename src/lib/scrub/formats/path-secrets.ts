import { redacted } from '../redacted.ts'
import type { SecretLikelihood } from '../secret-keys.ts'

/** A segment of a path, and the one after it. What is encoded is scrubbed once it is decoded. */
const segments = /(?<=\/)([A-Za-z][\w-]{1,39})\/(?=([\w~=-]{8,})(?![\w.~%+=[-]))/g

/** Steps that links in mail lead to, each with a token. */
const linkSteps =
  /^(?:(?:\w{1,20}[_-])?(?:reset|confirm|confirmation|verify|verification|activate|activation|unlock|recover|recovery|magic|unsubscribe|invite)(?:[_-]?link)?)$/i

/** Secrets as a segment of a path, after one that names them: `/reset-password/9f8a…`, `/token/x7Kq…`. */
export function scrubPathSecrets(text: string, classify: (key: string) => SecretLikelihood) {
  let result = ''
  let from = 0

  for (const { index, 0: head, 1: name, 2: value } of text.matchAll(segments)) {
    const start = index + head.length

    if (!isSecret(name!, value!, classify)) continue
    result += text.slice(from, start) + redacted
    from = start + value!.length
  }

  return from === 0 ? text : result + text.slice(from)
}

function isSecret(name: string, value: string, classify: (key: string) => SecretLikelihood) {
  const likelihood = classify(name)

  if (likelihood === 'sure') return /\d/.test(value) && /[A-Za-z]/.test(value)

  return (likelihood !== 'none' || linkSteps.test(name)) && value.length >= 12 && (switches(value) >= 3 || !isWritten(value))
}

/** How often letters and digits take turns: often in generated values, and seldom in names such as `OAuth2Provider`. */
function switches(value: string) {
  return (value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length
}

/** Made of words and short numbers, such as `AcceptInvitation2`, `NEW_PASSWORD` and `change-email-form`. */
function isWritten(value: string) {
  const text = /[a-z]/.test(value) ? value : value.toLowerCase()

  return (text.match(/[A-Z]?[a-z]{2,}|\d{1,4}|[-_]/g) ?? []).join('') === text
}
