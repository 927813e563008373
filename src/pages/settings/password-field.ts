import { field } from '../layout/field.ts'

export const wrongPassword = 'The password is wrong, or this browser is locked for 10 minutes after too many failed attempts.'

/** Asks a signed-in user for their current password. */
export function passwordField({ label = 'Your password', id, error }: { label?: string; id?: string; error?: string }) {
  return field({ name: 'current', label, id, error, type: 'password', autocomplete: 'current-password', isRequired: true })
}
