import { ValidationFailed } from '../../http/problems/problems.ts'
import type { Viewer } from '../viewer.ts'
import type { TokenKind } from './access-token.ts'

/** What the token of a project or group may carry. */
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
const forAdmins = ['sudo', 'admin_mode', 'read_service_ping']

/** Every scope that a token may carry: what any token may do with itself, it may do with any of these. */
export const tokenScopes = [...shared, 'read_user', ...forAdmins]

/** Somebody's token says at most what that somebody may. */
export function checkTokenScopes(scopes: string[], kind: TokenKind, user: Viewer) {
  const available = kind === 'project' || kind === 'group' ? shared : user.isAdmin ? tokenScopes : [...shared, 'read_user']

  if (scopes.length === 0) throw new ValidationFailed({ scopes: ["can't be blank"] })
  if (!scopes.every(scope => available.includes(scope))) throw new ValidationFailed({ scopes: ['can only contain available scopes'] })
}

/** A token must not make one that may more than itself; all but acting as others is within `api`. */
export function checkHeld(scopes: string[], held: string[] | 'all') {
  const beyond = held === 'all' ? [] : scopes.filter(scope => forAdmins.includes(scope) && !held.includes(scope))

  if (beyond.length > 0) throw new ValidationFailed({ scopes: ['cannot go beyond those of the token in use'] })
}
