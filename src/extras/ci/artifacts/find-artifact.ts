import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Artifact } from './artifact.ts'

/** The archive of a job, for a caller with this role in its project. */
export async function findArchive(em: EntityManager, jobId: number, role: number) {
  const archive = await em.findOne(Artifact, {
    jobId,
    type: 'archive',
    $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }]
  })

  if (!archive) throw new NotFound()
  if (role < archive.minRole) throw new Forbidden()

  return archive
}
