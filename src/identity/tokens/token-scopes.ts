import { ValidationFailed } from '#lib/refusals.ts'
import type { Viewer } from '../viewer.ts'
import type { TokenKind } from './access-token.ts'

/** Available to project and group tokens as well. */
const shared = [
  'api',
  'read_api',
  'create_runner',
  'manage_runner',
  'k8s_proxy',
  'self_rotate',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'read_virtual_registry',
  'write_virtual_registry',
  'read_observability',
  'write_observability',
  'ai_features'
]
/** Worth something for admins only. */
export const adminScopes = ['sudo', 'admin_mode', 'read_service_ping']

/** All scopes: routes that any token may call list them. */
export const tokenScopes = [...shared, 'read_user', ...adminScopes]

export function checkTokenScopes(scopes: string[], kind: TokenKind, user: Viewer) {
  const available = kind === 'project' || kind === 'group' ? shared : user.isAdmin ? tokenScopes : [...shared, 'read_user']

  if (scopes.length === 0) throw new ValidationFailed({ scopes: ["can't be blank"] })
  if (!scopes.every(scope => available.includes(scope))) throw new ValidationFailed({ scopes: ['can only contain available scopes'] })
}

/** Prevents privilege escalation: a token cannot create one with admin scopes that it lacks. `api` implies the other scopes. */
export function checkWithinScopes(scopes: string[], callerScopes: string[] | 'all' = 'all') {
  const missing = callerScopes === 'all' ? [] : scopes.filter(scope => adminScopes.includes(scope) && !callerScopes.includes(scope))

  if (missing.length > 0) throw new ValidationFailed({ scopes: ['cannot go beyond those of the token in use'] })
}
