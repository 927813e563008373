import Type from 'typebox'
import { Nullable } from '../../../http/parameters/nullable.ts'
import type { Viewer } from '../../viewer.ts'

const basic = {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: Type.Enum(['active', 'blocked']),
  locked: Type.Boolean(),
  avatar_url: Type.Null(),
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
  identities: Type.Array(Type.Unknown()),
  current_sign_in_at: Nullable(Type.String()),
  last_sign_in_at: Nullable(Type.String())
}

/** At least the basic attributes; the rest depends on the viewer. */
export const UserShape = Type.Object({
  ...basic,
  ...Type.Partial(Type.Object({ ...profile, ...account, note: Nullable(Type.String()) })).properties
})
export const CurrentUserShape = Type.Object({ ...basic, ...profile, ...account })

export function presentBasics(user: Viewer, baseUrl: string) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    locked: user.isLocked(new Date()),
    avatar_url: null,
    web_url: `${baseUrl}/${user.username}`,
    public_email: user.publicEmail || null
  }
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
    email: user.email,
    commit_email: user.email,
    confirmed_at: user.createdAt.toISOString(),
    is_admin: user.isAdmin,
    external: user.isExternal,
    private_profile: user.isPrivateProfile,
    can_create_group: user.canCreateGroup,
    can_create_project: user.projectsLimit > 0 && (user.isAdmin || !user.isExternal),
    projects_limit: user.projectsLimit,
    two_factor_enabled: Boolean(user.totpEnabledAt),
    identities: [],
    current_sign_in_at: user.currentSignInAt?.toISOString() ?? null,
    last_sign_in_at: user.lastSignInAt?.toISOString() ?? null
  }
}

export function presentToAdmin(user: Viewer, baseUrl: string) {
  return { ...presentSelf(user, baseUrl), note: user.note ?? null }
}
