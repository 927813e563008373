import type { FastifyRequest } from 'fastify'
import { lastExpiry } from '#identity/tokens/token-expiry.ts'
import type { Viewer } from '#identity/viewer.ts'
import { parseIsoTime } from '#lib/time.ts'
import { chosenOf, textOf } from '../layout/forms.ts'
import { tokenScopeOptions } from './scope-texts.ts'

export interface TokenForm {
  name: string
  chosen: string[]
  /** As entered, to show it again with an error. */
  expiry: string
  scopes: string[]
  errors?: { name?: string; scopes?: string; expiry?: string }
}

export function readTokenForm(request: FastifyRequest, user: Viewer, at: Date): TokenForm {
  const name = textOf(request, 'name').trim()
  const expiry = textOf(request, 'expires_at').trim()
  const chosen = chosenOf(request, 'scopes')
  const scopes = tokenScopeOptions(user).flatMap(([scope]) => (chosen.includes(scope) ? [scope] : []))
  const expiresAt = parseIsoTime(expiry)
  const errors = {
    ...(!name && { name: 'Enter a name.' }),
    ...(name.length > 255 && { name: 'Use at most 255 characters.' }),
    ...(scopes.length === 0 && { scopes: 'Choose at least one scope.' }),
    ...(!(expiresAt && expiresAt > at && expiresAt <= lastExpiry(at)) && {
      expiry: `Choose a day from tomorrow to ${dayOf(lastExpiry(at))}.`
    })
  }

  return { name, expiry, chosen, scopes, errors: Object.keys(errors).length > 0 ? errors : undefined }
}

/** The value of a date input. */
export function dayOf(at: Date) {
  return at.toISOString().slice(0, 10)
}
