import { NotFound } from '../http/problems.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { EntityManager } from '../platform/database.ts'
import { Role } from '../projects/member.ts'
import { findMonitored } from './find-monitored.ts'
import { ErrorGroup } from './group.ts'

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
