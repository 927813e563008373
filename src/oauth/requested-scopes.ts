import { adminScopes } from '#identity/tokens/token-scopes.ts'
import { AdminScope, InvalidScope } from './errors.ts'
import { parseScopes } from './scopes.ts'

const defaultScopes = ['api']

/** RFC 6749 §3.3: only scopes of the application; without the parameter, the default ones that it has. */
export function checkRequestedScopes({ scopes: registered }: { scopes: string[] }, scope: string | undefined) {
  return checkWithin(scope === undefined ? defaultScopes : parseScopes(scope), registered)
}

/** RFC 6749 §6: a refresh may narrow the scopes of its grant, never widen them. */
export function checkNarrowedScopes({ scopes: granted }: { scopes: string[] }, scope: string | undefined) {
  return scope === undefined ? granted : checkWithin(parseScopes(scope), granted)
}

/** As for personal tokens: scopes of admins are granted to admins only. */
export function checkScopesOfUser(scopes: string[], user: { isAdmin: boolean } | null | undefined) {
  const refused = user && !user.isAdmin ? scopes.filter(scope => adminScopes.includes(scope)) : []

  if (refused.length > 0) throw new AdminScope(refused)
}

function checkWithin(requested: string[], allowed: string[]) {
  if (requested.length === 0 || !requested.every(scope => allowed.includes(scope))) throw new InvalidScope()

  return requested
}
