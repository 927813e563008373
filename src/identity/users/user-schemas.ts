import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { avatarUrl } from '#platform/avatars.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Viewer } from '../viewer.ts'

const basic = {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: Type.Enum(['active', 'blocked', 'banned', 'deactivated', 'blocked_pending_approval']),
  avatar_url: Nullable(Type.String()),
  web_url: Type.String(),
  public_email: Nullable(Type.String())
}
const profile = {
  created_at: Type.String(),
  bio: Type.String(),
  location: Nullable(Type.String()),
  organization: Nullable(Type.String()),
  job_title: Nullable(Type.String()),
  website_url: Type.String(),
  bot: Type.Boolean()
}
const account = {
  locked: Type.Boolean({ description: 'Whether too many sign-ins failed.' }),
  email: Type.String(),
  commit_email: Type.String(),
  confirmed_at: Nullable(Type.String()),
  is_admin: Type.Boolean(),
  external: Type.Boolean(),
  private_profile: Type.Boolean(),
  can_create_group: Type.Boolean(),
  can_create_project: Type.Boolean(),
  projects_limit: Type.Integer(),
  two_factor_enabled: Type.Boolean(),
  current_sign_in_at: Nullable(Type.String()),
  last_sign_in_at: Nullable(Type.String()),
  last_activity_on: Nullable(Type.String())
}
const forAdmins = {
  note: Nullable(Type.String()),
  current_sign_in_ip: Nullable(Type.String()),
  last_sign_in_ip: Nullable(Type.String()),
  /** The personal namespace; bots have none. */
  namespace_id: Nullable(Type.Integer())
}

/** At least the basic attributes; the rest depends on the viewer. */
export const UserShape = Type.Object({
  ...basic,
  ...Type.Partial(Type.Object({ ...profile, ...account, ...forAdmins, public_email: basic.public_email })).properties
})
export const CurrentUserShape = Type.Object({ ...basic, ...profile, ...account, ...Type.Partial(Type.Object(forAdmins)).properties })

/** For visitors who are not signed in. */
export function presentPublicly(user: Viewer, baseUrl: string) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    avatar_url: avatarUrl('user', user, baseUrl),
    web_url: `${baseUrl}/${user.username}`
  }
}

export function presentBasics(user: Viewer, baseUrl: string) {
  return { ...presentPublicly(user, baseUrl), public_email: user.publicEmail || null }
}

export function presentProfile(user: Viewer, baseUrl: string) {
  return {
    ...presentBasics(user, baseUrl),
    created_at: user.createdAt.toISOString(),
    bio: user.bio,
    location: user.location || null,
    organization: user.organization || null,
    job_title: user.jobTitle || null,
    website_url: user.websiteUrl,
    bot: user.isBot()
  }
}

export function presentSelf(user: Viewer, baseUrl: string) {
  return {
    ...presentProfile(user, baseUrl),
    locked: user.isLocked(new Date()),
    email: user.email,
    commit_email: user.email,
    confirmed_at: user.confirmedAt?.toISOString() ?? null,
    is_admin: user.isAdmin,
    external: user.isExternal,
    private_profile: user.isPrivateProfile,
    can_create_group: user.canCreateGroup,
    can_create_project: user.projectsLimit > 0 && (user.isAdmin || !user.isExternal),
    projects_limit: user.projectsLimit,
    two_factor_enabled: user.hasTwoFactor(),
    current_sign_in_at: user.currentSignInAt?.toISOString() ?? null,
    last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
    last_activity_on: user.lastActivityOn ?? null
  }
}

export async function presentToAdmin(em: EntityManager, user: Viewer, baseUrl: string) {
  return (await presentAllToAdmin(em, [user], baseUrl))[0]!
}

export async function presentAllToAdmin(em: EntityManager, users: Viewer[], baseUrl: string) {
  const ids = users.map(({ id }) => id)
  const namespaces = await em.find(Namespace, { kind: 'user', ownerId: { $in: ids } })
  const namespaceIds = new Map(namespaces.map(({ id, ownerId }) => [ownerId, id]))

  return users.map(user => ({
    ...presentSelf(user, baseUrl),
    note: user.note ?? null,
    current_sign_in_ip: user.currentSignInIp ?? null,
    last_sign_in_ip: user.lastSignInIp ?? null,
    namespace_id: namespaceIds.get(user.id) ?? null
  }))
}
