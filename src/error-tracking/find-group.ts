import { NotFound } from '../http/problems.ts'
import type { User } from '../identity/user.ts'
import type { EntityManager } from '../platform/database.ts'
import { Role } from '../projects/member.ts'
import { findMonitored } from './find-monitored.ts'
import { ErrorGroup } from './group.ts'

/** An error that somebody may see: developers of its project. */
export async function findGroupFor(em: EntityManager, viewer: User, { id, fingerprint }: { id: string; fingerprint: number }) {
  const project = await findMonitored(em, viewer, id, Role.developer)
  const group = await em.findOne(ErrorGroup, { id: fingerprint, projectId: project.id })

  if (!group) throw new NotFound('Error')

  return group
}
