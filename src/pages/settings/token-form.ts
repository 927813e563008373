import type { FastifyRequest } from 'fastify'
import { lastExpiry } from '../../identity/tokens/token-expiry.ts'
import { chosenOf, textOf } from '../layout/forms.ts'

export interface TokenForm {
  name: string
  chosen: string[]
  /** As it was typed, so that it can be shown again. */
  expiry: string
  scopes: string[]
  problems?: { name?: string; scopes?: string; expiry?: string }
}

/** A new token as a form asks for it; what is wrong with that, by field. */
export function readTokenForm(request: FastifyRequest, allowed: string[], at: Date): TokenForm {
  const name = textOf(request, 'name').trim()
  const expiry = textOf(request, 'expires_at').trim()
  const chosen = chosenOf(request, 'scopes')
  const scopes = allowed.filter(scope => chosen.includes(scope))
  const expiresAt = new Date(`${expiry}T00:00:00Z`)
  const problems = {
    ...(!name && { name: 'Enter a name.' }),
    ...(name.length > 255 && { name: 'Use at most 255 characters.' }),
    ...(scopes.length === 0 && { scopes: 'Choose at least one.' }),
    ...(!(expiresAt > at && expiresAt <= lastExpiry(at)) && { expiry: `Choose a day after today, ${dayOf(lastExpiry(at))} at the latest.` })
  }

  return { name, expiry, chosen, scopes, problems: Object.keys(problems).length > 0 ? problems : undefined }
}

/** As a date field takes it. */
export function dayOf(at: Date) {
  return at.toISOString().slice(0, 10)
}
