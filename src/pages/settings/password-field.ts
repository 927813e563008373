import { field } from '../layout/field.ts'

export const wrongPassword = 'That is not your password, or too many tries were wrong and you have to wait for ten minutes.'

/** Asks whoever is signed in for what they signed in with. */
export function passwordField({
  name = 'current',
  label = 'Your password',
  id = name,
  error
}: {
  name?: string
  label?: string
  id?: string
  error?: string
}) {
  return field({ name, label, id, error, type: 'password', autocomplete: 'current-password', isRequired: true })
}
