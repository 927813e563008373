import type { Config } from '#config.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Job } from '../jobs/job.ts'
import { Artifact } from './artifact.ts'
import { artifactFiles } from './store-artifact.ts'

/** They do not expire any more. */
export async function unexpireArtifacts(em: EntityManager, { id }: Job) {
  if ((await em.nativeUpdate(Artifact, { jobId: id }, { expiresAt: null })) === 0) throw new NotFound()
}

/** Deletes the rows before the files, so that every row has its file. */
export async function deleteArtifacts(em: EntityManager, config: Config, { id }: Pick<Job, 'id'>) {
  const artifacts = await em.find(Artifact, { jobId: id })

  await em.nativeDelete(Artifact, { id: { $in: artifacts.map(({ id }) => id) } })
  for (const { storedAs } of artifacts) await artifactFiles(config).remove(storedAs)
}

/** Deletes the artifacts of a project. The files are deleted as orphans, because they may be many. */
export async function deleteArtifactsOfProject(em: EntityManager, projectId: number) {
  await em.nativeDelete(Artifact, { projectId })
}

/** Deletes files without a row: it expired, its project was deleted, or a process ended before it stored the row. */
export async function deleteOrphanArtifacts(em: EntityManager, config: Config, at: Date) {
  await artifactFiles(config).deleteOrphans(at, async names => {
    const artifacts = await em.fork().find(Artifact, { storedAs: { $in: names } }, { fields: ['storedAs'] })

    return artifacts.map(({ storedAs }) => storedAs)
  })
}
