import Type from 'typebox'
import type { Application } from '#oauth/applications/application.ts'
import { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { applicationScopeOptions } from '../settings/scope-texts.ts'

export const ApplicationForm = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  redirect_uris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String(), { minItems: 1 }),
  is_confidential: Type.Boolean()
})
export type ApplicationFields = Form<typeof ApplicationForm>

export function newApplicationForm() {
  return new Form(ApplicationForm, { is_confidential: true })
}

export function formOfApplication({ name, redirectUris, scopes }: Application) {
  return new Form(ApplicationForm, { name, redirect_uris: redirectUris, scopes })
}

/** A public application stays public: its requests carry no secret. */
export function applicationFields(form: ApplicationFields, isNew: boolean) {
  return html`
    ${form.field('name', { label: 'Name', hint: 'Shown to users when they are asked for access.', invalid: 'Enter a name of at most 255 characters.' })}
    ${form.textArea('redirect_uris', {
      label: 'Redirect URIs',
      hint: 'One per line. Users return to one of them with a code. Use HTTPS; HTTP is for this device and for development.',
      attributes: { spellcheck: 'false' }
    })}
    ${
      isNew &&
      form.checkbox('is_confidential', {
        label: 'Confidential',
        hint: 'It runs on a server and can keep a secret. Turn off for mobile, desktop and browser applications, which use PKCE.'
      })
    }
    ${form.checkboxes('scopes', { legend: 'Scopes', options: applicationScopeOptions, invalid: 'Choose at least one scope.' })}`
}
