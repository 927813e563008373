import { InvalidScope } from '../errors.ts'
import { parseScopes } from '../scopes.ts'

const defaultScopes = ['api']

/** RFC 6749 §3.3: only scopes of the application; without the parameter, the default ones that it has. */
export function checkRequestedScopes({ scopes: registered }: { scopes: string[] }, scope: string | undefined) {
  return checkWithin(scope === undefined ? defaultScopes : parseScopes(scope), registered)
}

/** RFC 6749 §6: a refresh may narrow the scopes of its grant, never widen them. */
export function checkNarrowedScopes({ scopes: granted }: { scopes: string[] }, scope: string | undefined) {
  return scope === undefined ? granted : checkWithin(parseScopes(scope), granted)
}

function checkWithin(requested: string[], allowed: string[]) {
  if (requested.length === 0 || !requested.every(scope => allowed.includes(scope))) throw new InvalidScope()

  return requested
}
