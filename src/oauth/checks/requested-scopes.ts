import { InvalidScope } from '../errors.ts'
import { parseScopes } from '../scopes.ts'

const defaultScopes = ['api']

/** RFC 6749 §3.3: only scopes of the application; without the parameter, the default ones that it has. */
export function checkRequestedScopes({ scopes: registered }: { scopes: string[] }, scope: string | undefined) {
  const requested = scope === undefined ? defaultScopes : parseScopes(scope)

  if (requested.length === 0 || !requested.every(one => registered.includes(one))) throw new InvalidScope()

  return requested
}
