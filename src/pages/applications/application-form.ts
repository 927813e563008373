import type { FastifyRequest } from 'fastify'
import { type Reasons, ValidationFailed } from '#api/problems/problems.ts'
import { checkbox, checkboxes, field, textArea } from '../layout/field.ts'
import { chosenOf, linesOf, textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { applicationScopeOptions } from '../settings/scope-texts.ts'

export interface ApplicationForm {
  name: string
  redirectUris: string[]
  scopes: string[]
  isConfidential: boolean
  errors?: { name?: string; redirectUris?: string; scopes?: string }
}

export function readApplicationForm(request: FastifyRequest): ApplicationForm {
  return {
    name: textOf(request, 'name').trim(),
    redirectUris: linesOf(request, 'redirect_uris'),
    scopes: chosenOf(request, 'scopes'),
    isConfidential: textOf(request, 'is_confidential') !== ''
  }
}

/** The form with its errors when the values are refused; throws other errors. */
export function withErrors(form: ApplicationForm, error: unknown): ApplicationForm {
  if (!(error instanceof ValidationFailed)) throw error
  const reasons = (error.body as { message: Reasons }).message
  const uriReasons = reasons.redirect_uri as string[] | undefined

  return {
    ...form,
    errors: {
      ...(reasons.name && { name: 'Enter a name of at most 255 characters.' }),
      ...(uriReasons && { redirectUris: uriReasons.map(reason => `A redirect URI ${reason}`).join(' ') }),
      ...(reasons.scopes && { scopes: 'Choose at least one scope.' })
    }
  }
}

/** A public application stays public: its requests carry no secret. */
export function applicationFields(
  { name, redirectUris = [], scopes = [], isConfidential, errors }: Partial<ApplicationForm>,
  isNew: boolean
) {
  return html`
    ${field({ name: 'name', label: 'Name', value: name, hint: 'Users see it when they are asked for access.', error: errors?.name, isRequired: true, attributes: { maxlength: 255 } })}
    ${textArea({
      name: 'redirect_uris',
      label: 'Redirect URIs',
      value: redirectUris.join('\n'),
      hint: 'One per line. Users return to one of them with a code. Use HTTPS; HTTP is for this device and for development.',
      error: errors?.redirectUris,
      attributes: { spellcheck: 'false' }
    })}
    ${
      isNew &&
      checkbox({
        name: 'is_confidential',
        value: 'true',
        label: 'Confidential',
        hint: 'It runs on a server and can keep a secret. Clear this for mobile, desktop and browser applications: they use PKCE.',
        isChecked: isConfidential ?? true
      })
    }
    ${checkboxes({ name: 'scopes', legend: 'Scopes', options: applicationScopeOptions, chosen: scopes, error: errors?.scopes })}`
}
