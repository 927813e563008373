import { NotFound } from '../../http/problems/problems.ts'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import { findMonitored } from '../settings/find-monitored-project.ts'
import { ErrorGroup } from './error-group.ts'

/** An error that somebody may see: developers of its project. The id of one that was merged leads to what it is a part of. */
export async function findGroupFor(em: EntityManager, viewer: Viewer, { id, fingerprint }: { id: string; fingerprint: number }) {
  const project = await findMonitored(em, viewer, id, Role.developer)
  const group = await findGroup(em, project.id, fingerprint)

  if (!group) throw new NotFound('Error')

  return group
}

export async function findGroup(em: EntityManager, projectId: number, id: number) {
  const group = await em.findOne(ErrorGroup, { id, projectId }, { filters: { standing: false } })

  return group?.mergedInto ? em.findOne(ErrorGroup, { id: group.mergedInto }) : group
}
