import { html } from '#pages/layout/html.ts'
import type { WebhookForm } from './webhook-form.ts'

/** Which tokens a webhook has. */
export interface StoredSecrets {
  hasToken: boolean
  signs: boolean
}

export function secretFields(fields: WebhookForm['fields'], stored: StoredSecrets | undefined) {
  return html`
    ${tokenField(fields, 'token', {
      label: 'Secret token',
      hint: 'Sent as X-Gitlab-Token, so that the receiver can verify that a request comes from here.',
      isStored: stored?.hasToken
    })}
    ${tokenField(fields, 'signing_token', {
      label: 'Signing token',
      hint: 'Signs requests according to Standard Webhooks, so that a receiver can verify them. Generate one with: echo whsec_$(openssl rand -base64 32)',
      invalid: 'Enter whsec_ and a key in Base64, of 24 bytes or more.',
      isStored: stored?.signs,
      attributes: { maxlength: 108, pattern: 'whsec_[A-Za-z0-9+\\/]{32,100}={0,2}' }
    })}`
}

interface Token {
  label: string
  hint: string
  invalid?: string
  isStored: boolean | undefined
  attributes?: Record<string, string | number>
}

function tokenField(fields: WebhookForm['fields'], name: 'token' | 'signing_token', { label, hint, isStored, ...given }: Token) {
  return html`
    ${fields.field(name, {
      ...given,
      type: 'password',
      label: `${label} (optional)`,
      hint: isStored ? `Stored encrypted. Leave empty to keep it. ${hint}` : hint,
      autocomplete: 'off'
    })}
    ${isStored && fields.choice('removed', name, { label: `Delete the stored ${label.toLowerCase()}` })}`
}
