import type { FastifyRequest } from 'fastify'
import { field, formOf } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import type { Problems } from '../projects/page-context.ts'
import { newPasswordFields } from '../sign-in/password-fields.ts'

export interface SignUpForm {
  name: string
  username: string
}

export const blankSignUp: SignUpForm = { name: '', username: '' }

export function readSignUp(request: FastifyRequest): SignUpForm {
  return { name: textOf(request, 'name').trim(), username: textOf(request, 'username').trim() }
}

export function signUpForm(
  request: FastifyRequest,
  { email, action }: { email: string; action: string },
  form: SignUpForm,
  problems: Problems
) {
  return html`
    <h2>Create an account</h2>
    <p class="hint">Its address is <strong>${email}</strong>, and is confirmed by this link.</p>
    ${formOf(
      request,
      { action },
      html`
      ${field({ name: 'name', label: 'Name', value: form.name, error: problems.name, isRequired: true, autocomplete: 'name', attributes: { maxlength: 255 } })}
      ${field({
        name: 'username',
        label: 'Username',
        value: form.username,
        error: problems.username,
        isRequired: true,
        autocomplete: 'username',
        attributes: { maxlength: 255, autocapitalize: 'none', spellcheck: 'false' }
      })}
      ${newPasswordFields(problems)}
      <button>Create the account and accept</button>`
    )}`
}
