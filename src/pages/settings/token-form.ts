import type { FastifyRequest } from 'fastify'
import { chosenOf, textOf } from '../forms.ts'

export interface TokenForm {
  name: string
  chosen: string[]
  /** As it was typed, so that it can be shown again. */
  expiry: string
  scopes: string[]
  expiresAt: Date | null
  problems?: { name?: string; scopes?: string; expiry?: string }
}

/** A new token as a form asks for it; what is wrong with that, by field. */
export function readTokenForm(request: FastifyRequest, allowed: string[], at: Date): TokenForm {
  const name = textOf(request, 'name').trim()
  const expiry = textOf(request, 'expires_at').trim()
  const chosen = chosenOf(request, 'scopes')
  const scopes = allowed.filter(scope => chosen.includes(scope))
  const expiresAt = expiry ? new Date(`${expiry}T00:00:00Z`) : null
  const problems = {
    ...(!name && { name: 'Enter a name.' }),
    ...(name.length > 255 && { name: 'Use at most 255 characters.' }),
    ...(scopes.length === 0 && { scopes: 'Choose at least one.' }),
    ...(expiresAt && !(expiresAt > at) && { expiry: 'Choose a day after today.' })
  }

  return { name, expiry, chosen, scopes, expiresAt, problems: Object.keys(problems).length > 0 ? problems : undefined }
}
