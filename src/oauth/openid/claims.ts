import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { type GroupPaths, groupPathsOf } from '../../projects/groups/group-paths.ts'

/** Every claim, for discovery. */
export const claimNames = [
  'sub',
  'name',
  'nickname',
  'preferred_username',
  'email',
  'email_verified',
  'website',
  'profile',
  'groups',
  'groups_direct',
  'https://gitlab.org/claims/groups/owner',
  'https://gitlab.org/claims/groups/maintainer',
  'https://gitlab.org/claims/groups/developer'
]

interface Presentation {
  baseUrl: string
  /** ID tokens have the groups that the user is a direct member of; the userinfo endpoint has all. */
  groups: 'direct' | 'all'
}

/** The claims about a user that the scopes show (OpenID Connect Core §5.4), without empty ones. */
export async function claimsOf(em: EntityManager, user: Viewer, scopes: string[], { baseUrl, groups }: Presentation) {
  const hasProfile = scopes.includes('profile')
  const paths = hasProfile && (await groupPathsOf(em, user))
  const claims = {
    sub: String(user.id),
    ...(hasProfile && profileOf(user, baseUrl)),
    ...emailOf(user, scopes),
    ...(paths && (groups === 'direct' ? { groups_direct: paths.direct } : groupClaims(paths)))
  }

  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== ''))
}

function profileOf({ name, username, websiteUrl }: Viewer, baseUrl: string) {
  return { name, nickname: username, preferred_username: username, profile: `${baseUrl}/${username}`, website: websiteUrl }
}

/** The primary address needs its own scope; the public one is part of the profile. */
function emailOf({ email, publicEmail }: Viewer, scopes: string[]) {
  if (scopes.includes('email')) return { email, email_verified: true }

  return scopes.includes('profile') && publicEmail !== '' ? { email: publicEmail, email_verified: publicEmail === email } : {}
}

/** The names are GitLab's: clients that map groups to roles read them. */
function groupClaims({ all, owner, maintainer, developer }: GroupPaths) {
  return {
    groups: all,
    'https://gitlab.org/claims/groups/owner': owner,
    'https://gitlab.org/claims/groups/maintainer': maintainer,
    'https://gitlab.org/claims/groups/developer': developer
  }
}
