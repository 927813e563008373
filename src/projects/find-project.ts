import { raw } from '@mikro-orm/core'
import { Forbidden, NotFound, Unauthorized } from '../http/problems/problems.ts'
import type { Viewer } from '../identity/viewer.ts'
import { FormerPath } from '../namespaces/former-path.ts'
import { Namespace, type Visibility } from '../namespaces/namespace.ts'
import { findByFormerPath } from '../namespaces/redirects.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { Role } from './members/member.ts'
import { highest, type Roles, readProjectAndRoles, readShownAndRoles, roleInGroup } from './members/roles.ts'
import { groupsSeenBy } from './visibility/visible-groups.ts'

/**
 * A project by id or path, for somebody who has at least this role in it; for the least role it is enough to see it.
 * What one may not see is not found.
 */
export async function findProject(em: EntityManager, viewer: Viewer | undefined, idOrPath: string, least: number = Role.guest) {
  return (await findProjectAndRoles(em, viewer, idOrPath, least)).project
}

/** The same, with the roles that they have in it. */
export async function findProjectAndRoles(em: EntityManager, viewer: Viewer | undefined, idOrPath: string, least: number = Role.guest) {
  return admit(em, viewer, idOrPath, least, await readProjectAndRoles(em, viewer, idOrPath))
}

/** One to be shown, as it is shown, with the roles that they have in it. */
export async function findShownProject(em: EntityManager, viewer: Viewer | undefined, idOrPath: string) {
  return admit(em, viewer, idOrPath, Role.guest, await readShownAndRoles(em, viewer, idOrPath))
}

async function admit<Found extends { project: { visibility: Visibility }; roles: Roles }>(
  em: EntityManager,
  viewer: Viewer | undefined,
  idOrPath: string,
  least: number,
  found: Found | undefined
) {
  if (!found) return findMovedProject(em, viewer, idOrPath)
  if (viewer?.isAdmin) return found
  const role = highest(found.roles)

  if (role === 0 && !isOpenTo(viewer, found.project.visibility)) throw new NotFound('Project')
  checkRole(viewer, role, least)

  return found
}

/** The same for a group. Whoever is a member of something within it sees it, too. */
export async function findGroup(em: EntityManager, viewer: Viewer | undefined, idOrPath: string, least: number = Role.guest) {
  const group = await em.findOne(Namespace, { ...byIdOrPath(idOrPath), kind: 'group' })

  if (!group) return findMovedGroup(em, viewer, idOrPath)
  if (viewer?.isAdmin) return group
  const role = viewer ? await roleInGroup(em, viewer, group.id) : 0

  if (role === 0 && !isOpenTo(viewer, group.visibility) && !(await isSeenFromWithin(em, viewer, group))) throw new NotFound('Group')
  checkRole(viewer, role, least)

  return group
}

/** Whether somebody sees what is this visible without being a member of it. */
export function isOpenTo(viewer: Viewer | undefined, visibility: Visibility) {
  return visibility === 'public' || (visibility === 'internal' && viewer !== undefined && !viewer.isExternal)
}

async function findMovedProject(em: EntityManager, viewer: Viewer | undefined, path: string): Promise<never> {
  const id = await findByFormerPath(em, path, 'project')

  if (!id) throw new NotFound('Project')
  await findProject(em, viewer, String(id))
  throw new FormerPath('Project', { from: path, to: id })
}

async function findMovedGroup(em: EntityManager, viewer: Viewer | undefined, path: string): Promise<never> {
  const id = await findByFormerPath(em, path, 'group')

  if (!id) throw new NotFound('Group')
  await findGroup(em, viewer, String(id))
  throw new FormerPath('Group', { from: path, to: id })
}

function byIdOrPath(idOrPath: string) {
  return /^\d{1,15}$/.test(idOrPath) ? { id: Number(idOrPath) } : { [raw('lower(full_path)')]: idOrPath.toLowerCase() }
}

function checkRole(viewer: Viewer | undefined, role: number, least: number) {
  if (least <= Role.guest || role >= least) return
  if (!viewer) throw new Unauthorized()
  throw new Forbidden()
}

async function isSeenFromWithin(em: EntityManager, viewer: Viewer | undefined, group: Namespace) {
  const seen = viewer ? await groupsSeenBy(em, viewer) : []

  return seen.map(Number).includes(group.id)
}
