import { raw } from '@mikro-orm/core'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, NotFound, Unauthenticated } from '#lib/refusals.ts'
import { FormerPath } from '#namespaces/former-path.ts'
import { Namespace, type Visibility } from '#namespaces/namespace.ts'
import { findByFormerPath } from '#namespaces/path-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from './members/member.ts'
import { roleInGroup } from './members/member-store.ts'
import { highestRole, type Roles } from './members/roles.ts'
import { loadProjectAndRoles, loadProjectRowAndRoles } from './project-store.ts'
import { isVisibleToNonMembers } from './visibility/is-visible-to-non-members.ts'
import { memberGroupIds } from './visibility/membership-store.ts'

/**
 * Finds a project by id or path for a viewer with at least this role; guests need only see it.
 * A project that the viewer cannot see is not found.
 */
export async function findProject(em: EntityManager, viewer: Viewer | undefined, idOrPath: string, minRole: number = Role.guest) {
  return (await findProjectAndRoles(em, viewer, idOrPath, minRole)).project
}

export async function findProjectAndRoles(em: EntityManager, viewer: Viewer | undefined, idOrPath: string, minRole: number = Role.guest) {
  return authorize(em, viewer, idOrPath, minRole, await loadProjectAndRoles(em, viewer, idOrPath))
}

/** Like `findProjectAndRoles`, but returns a row for presentation. */
export async function findProjectRow(em: EntityManager, viewer: Viewer | undefined, idOrPath: string) {
  return authorize(em, viewer, idOrPath, Role.guest, await loadProjectRowAndRoles(em, viewer, idOrPath))
}

async function authorize<Found extends { project: { visibility: Visibility }; roles: Roles }>(
  em: EntityManager,
  viewer: Viewer | undefined,
  idOrPath: string,
  minRole: number,
  found: Found | undefined
) {
  if (!found) return findMovedProject(em, viewer, idOrPath)
  if (viewer?.isAdmin) return found
  const role = highestRole(found.roles)

  if (role === 0 && !isVisibleToNonMembers(viewer, found.project.visibility)) throw new NotFound('Project')
  checkRole(viewer, role, minRole)

  return found
}

/** Like `findProject`. Members of a subgroup or of a project in the group see the group, too. */
export async function findGroup(em: EntityManager, viewer: Viewer | undefined, idOrPath: string, minRole: number = Role.guest) {
  const group = await em.findOne(Namespace, { ...byIdOrPath(idOrPath), kind: 'group' })

  if (!group) return findMovedGroup(em, viewer, idOrPath)
  if (viewer?.isAdmin) return group
  const role = viewer ? await roleInGroup(em, viewer, group.id) : 0
  const isVisible =
    role > 0 || isVisibleToNonMembers(viewer, group.visibility) || (viewer && (await memberGroupIds(em, viewer)).includes(group.id))

  if (!isVisible) throw new NotFound('Group')
  checkRole(viewer, role, minRole)

  return group
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

/** Condition for a project or a group. */
export function byIdOrPath(idOrPath: string) {
  return /^\d{1,15}$/.test(idOrPath) ? { id: Number(idOrPath) } : { [raw('lower(full_path)')]: idOrPath.toLowerCase() }
}

function checkRole(viewer: Viewer | undefined, role: number, minRole: number) {
  if (minRole <= Role.guest || role >= minRole) return
  if (!viewer) throw new Unauthenticated()
  throw new Forbidden()
}
