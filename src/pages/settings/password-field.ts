import Type from 'typebox'
import type { Form } from '../layout/form.ts'

export const CurrentPassword = Type.Object({ current: Type.String() })

/** Asks a signed-in user for their current password. */
export function passwordField(form: Form<typeof CurrentPassword>, { label = 'Your password', id }: { label?: string; id?: string } = {}) {
  return form.field('current', { label, id, type: 'password', autocomplete: 'current-password', isRequired: true })
}
