import { checkbox, field } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import type { Problems } from '#pages/projects/page-context.ts'
import type { WebhookForm } from './webhook-form.ts'

/** Which tokens a webhook has. */
export interface StoredSecrets {
  hasToken: boolean
  signs: boolean
}

export function secretFields({ removed }: WebhookForm, problems: Problems, stored: StoredSecrets | undefined) {
  return html`
    ${tokenField({
      name: 'token',
      label: 'Secret token',
      hint: 'Sent as X-Gitlab-Token: the receiver knows by it that a request comes from here.',
      error: problems.token,
      isStored: stored?.hasToken,
      isRemoved: removed.includes('token'),
      attributes: { maxlength: 2048 }
    })}
    ${tokenField({
      name: 'signing_token',
      label: 'Signing token',
      hint: 'Signs requests as Standard Webhooks describe, so that a receiver can verify them. Make one with: echo whsec_$(openssl rand -base64 32)',
      error: problems.signing_token,
      isStored: stored?.signs,
      isRemoved: removed.includes('signing_token'),
      attributes: { maxlength: 108, pattern: 'whsec_[A-Za-z0-9+\\/]{32,100}={0,2}' }
    })}`
}

interface Token {
  name: string
  label: string
  hint: string
  error: string | undefined
  isStored: boolean | undefined
  isRemoved: boolean
  attributes: Record<string, string | number>
}

function tokenField({ name, label, hint, error, isStored, isRemoved, attributes }: Token) {
  return html`
    ${field({
      type: 'password',
      name,
      label: `${label} (optional)`,
      hint: isStored ? `Stored encrypted. Empty: it stays. ${hint}` : hint,
      error,
      autocomplete: 'off',
      attributes
    })}
    ${isStored && checkbox({ name: 'removed', value: name, label: `Delete the stored ${label.toLowerCase()}`, isChecked: isRemoved })}`
}
