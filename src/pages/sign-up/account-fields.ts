import Type from 'typebox'
import { NewUserBody } from '#identity/users/user-admin-routes.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { NewPassword, newPasswordFields } from '../sign-in/password-fields.ts'

const { name, username } = NewUserBody.properties

/** What people who sign up choose. Their address is that of the link they followed. */
export const AccountForm = Type.Object({ name, username, ...NewPassword.properties })

export function accountFields(form: Form<typeof AccountForm>) {
  return html`
    ${form.field('name', { label: 'Name', autocomplete: 'name' })}
    ${form.field('username', { label: 'Username', autocomplete: 'username', attributes: { autocapitalize: 'none', spellcheck: 'false' } })}
    ${newPasswordFields(form)}`
}
