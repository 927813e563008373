import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { NewUserBody } from '#identity/users/user-admin-routes.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { NewPassword, newPasswordFields } from '../sign-in/password-fields.ts'

const { name, username } = NewUserBody.properties

export const SignUpForm = Type.Object({ name, username, ...NewPassword.properties })

export function signUpForm(request: FastifyRequest, { email, action }: { email: string; action: string }, form: Form<typeof SignUpForm>) {
  return html`
    <h2>Create an account</h2>
    <p class="hint">Its e-mail address is <strong>${email}</strong>, which this link confirms.</p>
    ${form.render(
      request,
      { action },
      html`
      ${form.field('name', { label: 'Name', autocomplete: 'name' })}
      ${form.field('username', { label: 'Username', autocomplete: 'username', attributes: { autocapitalize: 'none', spellcheck: 'false' } })}
      ${newPasswordFields(form)}
      <button>Create the account and accept</button>`
    )}`
}
