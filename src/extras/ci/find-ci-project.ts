import type { Viewer } from '#identity/viewer.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProjectAndRoles } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { effectiveRole } from '#projects/members/roles.ts'
import { canReadCode } from '#projects/visibility/can-read-code.ts'

/** A project whose pipelines the viewer may read: users who read its code may. */
export async function findCiProject(em: EntityManager, viewer: Viewer | undefined, id: string, minRole: number = Role.guest) {
  const { project, roles } = await findProjectAndRoles(em, viewer, id, minRole)

  if (!canReadCode(project, effectiveRole(viewer, roles))) throw new Forbidden()

  return project
}
