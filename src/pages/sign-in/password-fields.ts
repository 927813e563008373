import Type from 'typebox'
import { isGuessable } from '#identity/guessable-password.ts'
import { minPasswordLength } from '#identity/secrets.ts'
import type { Form, SentForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'

/** Longer passwords are not safer, but cost more to hash. */
const maxPasswordLength = 256

export const NewPassword = Type.Object({
  password: Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength }),
  again: Type.String()
})

/** Adds to the form what its schema cannot say about a password. */
export function checkNewPassword(form: SentForm<typeof NewPassword>, owner: Parameters<typeof isGuessable>[1]) {
  const { password, again } = form.body

  form.problems = {
    ...(isGuessable(password, owner) && { password: 'This password is too easy to guess: it is common, or too similar to a name.' }),
    ...(password !== again && { again: 'The passwords do not match.' }),
    ...form.problems
  }
}

export function newPasswordFields(form: Form<typeof NewPassword>) {
  const shared = { type: 'password', autocomplete: 'new-password', isRequired: true }

  return html`
    ${form.field('password', {
      ...shared,
      label: 'New password',
      hint: `At least ${minPasswordLength} characters.`,
      // Browsers would cut off what is pasted.
      attributes: { minlength: minPasswordLength, maxlength: undefined }
    })}
    ${form.field('again', { ...shared, label: 'Confirm new password' })}`
}
