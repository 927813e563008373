import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { ErrorGroup } from './error-group.ts'

/** Errors are visible to developers and above. The id of a merged error resolves to the error it was merged into. */
export async function findError(
  em: EntityManager,
  viewer: Viewer,
  { id, fingerprint }: { id: string; fingerprint: number },
  role: number = Role.developer
) {
  const project = await findMonitoredProject(em, viewer, id, role)
  const group = await findGroup(em, project.id, fingerprint)

  if (!group) throw new NotFound('Error')

  return { project, group }
}

export async function findGroup(em: EntityManager, projectId: number, id: number) {
  const group = await em.findOne(ErrorGroup, { id, projectId }, { filters: { unmerged: false } })

  return group?.mergedInto ? em.findOne(ErrorGroup, { id: group.mergedInto }) : group
}
