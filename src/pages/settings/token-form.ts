import type { FastifyRequest } from 'fastify'
import { lastExpiry } from '../../identity/tokens/token-expiry.ts'
import { chosenOf, textOf } from '../layout/forms.ts'

export interface TokenForm {
  name: string
  chosen: string[]
  /** As entered, to show it again with an error. */
  expiry: string
  scopes: string[]
  errors?: { name?: string; scopes?: string; expiry?: string }
}

export function readTokenForm(request: FastifyRequest, allowed: string[], at: Date): TokenForm {
  const name = textOf(request, 'name').trim()
  const expiry = textOf(request, 'expires_at').trim()
  const chosen = chosenOf(request, 'scopes')
  const scopes = allowed.filter(scope => chosen.includes(scope))
  const expiresAt = new Date(`${expiry}T00:00:00Z`)
  const errors = {
    ...(!name && { name: 'Enter a name.' }),
    ...(name.length > 255 && { name: 'Use at most 255 characters.' }),
    ...(scopes.length === 0 && { scopes: 'Choose at least one scope.' }),
    ...(!(expiresAt > at && expiresAt <= lastExpiry(at)) && { expiry: `Choose a day from tomorrow to ${dayOf(lastExpiry(at))}.` })
  }

  return { name, expiry, chosen, scopes, errors: Object.keys(errors).length > 0 ? errors : undefined }
}

/** The value of a date input. */
export function dayOf(at: Date) {
  return at.toISOString().slice(0, 10)
}
