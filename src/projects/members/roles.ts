import { type SqlBool, sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { Role } from './member.ts'

/** A user's roles in a project; 0 for none. */
export interface Roles {
  /** From a membership of the project, or as the owner of its personal namespace. */
  direct: number
  /** From a group that it is in, at any level, or from a share. */
  inherited: number
}

/** A membership `m` has not expired. It ends after its last day. */
export const isActiveMembership = isActive('m')

/** A row of `members`, `memberships` or `group_shares` has not expired. */
export function isActive(alias: string) {
  return sql<SqlBool>`coalesce(${sql.ref(`${alias}.expires_at`)} >= (now() AT TIME ZONE 'UTC')::date, true)`
}

export function highestRole({ direct, inherited }: Roles) {
  return Math.max(direct, inherited)
}

/** Admins act as owners. */
export function effectiveRole(viewer: Viewer | undefined, roles: Roles): number {
  return viewer?.isAdmin ? Role.owner : highestRole(roles)
}

/** External users create no groups and projects. Bots are external only to see nothing beyond their project or group. */
export function isExternalPerson(user: Viewer) {
  return user.isExternal && !user.isAdmin && !user.isBot()
}
