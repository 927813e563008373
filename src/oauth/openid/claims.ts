import Type from 'typebox'
import type { Viewer } from '#identity/viewer.ts'
import { avatarUrl } from '#platform/avatars.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type GroupPaths, groupPathsOf } from '#projects/groups/group-store.ts'

const Text = Type.Optional(Type.String())
const Groups = Type.Optional(Type.Array(Type.String()))

/** Claims about a user, with GitLab's names for groups: clients that map groups to roles read them. */
export const Claims = Type.Object({
  sub: Type.String({ description: 'The ID of the user.' }),
  name: Text,
  nickname: Text,
  preferred_username: Text,
  profile: Text,
  website: Text,
  picture: Text,
  email: Text,
  email_verified: Type.Optional(Type.Boolean()),
  groups: Groups,
  groups_direct: Groups,
  'https://gitlab.org/claims/groups/owner': Groups,
  'https://gitlab.org/claims/groups/maintainer': Groups,
  'https://gitlab.org/claims/groups/developer': Groups
})

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

  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== '')) as Type.Static<typeof Claims>
}

function profileOf(user: Viewer, baseUrl: string) {
  const { name, username, websiteUrl: website } = user
  const picture = avatarUrl('user', user, baseUrl) ?? ''

  return { name, nickname: username, preferred_username: username, profile: `${baseUrl}/${username}`, website, picture }
}

/** The primary address needs its own scope; the public one is part of the profile. */
function emailOf({ email, publicEmail, confirmedAt }: Viewer, scopes: string[]) {
  const isConfirmed = confirmedAt !== null

  if (scopes.includes('email')) return { email, email_verified: isConfirmed }

  return scopes.includes('profile') && publicEmail !== ''
    ? { email: publicEmail, email_verified: isConfirmed && publicEmail === email }
    : {}
}

function groupClaims({ all, owner, maintainer, developer }: GroupPaths) {
  return {
    groups: all,
    'https://gitlab.org/claims/groups/owner': owner,
    'https://gitlab.org/claims/groups/maintainer': maintainer,
    'https://gitlab.org/claims/groups/developer': developer
  }
}
