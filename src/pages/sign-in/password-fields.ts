import { isGuessable } from '#identity/guessable-password.ts'
import { minPasswordLength } from '#identity/secrets.ts'
import { field } from '../layout/field.ts'
import { html } from '../layout/html.ts'

/** Longer passwords are not safer, but cost more to hash. */
const maxPasswordLength = 256

export interface PasswordErrors {
  current?: string
  password?: string
  again?: string
}

export function validateNewPassword(password: string, again: string, owner: Parameters<typeof isGuessable>[1]): PasswordErrors | undefined {
  if (password.length < minPasswordLength) return { password: `Use at least ${minPasswordLength} characters.` }
  if (password.length > maxPasswordLength) return { password: `Use at most ${maxPasswordLength} characters.` }
  if (isGuessable(password, owner)) return { password: 'This password is too easy to guess: it is common, or too similar to a name.' }

  return password === again ? undefined : { again: 'The passwords do not match.' }
}

export function newPasswordFields(errors: PasswordErrors = {}) {
  const shared = { type: 'password', autocomplete: 'new-password', isRequired: true }

  return html`
    ${field({
      ...shared,
      name: 'password',
      label: 'New password',
      hint: `At least ${minPasswordLength} characters.`,
      error: errors.password,
      attributes: { minlength: minPasswordLength }
    })}
    ${field({ ...shared, name: 'again', label: 'Confirm new password', error: errors.again })}`
}
