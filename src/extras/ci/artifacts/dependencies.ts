import type { EntityManager } from '#platform/database/database.ts'
import { valueAt } from '../config/mapping.ts'
import type { Job } from '../jobs/job.ts'
import { Artifact } from './artifact.ts'

/** The earlier jobs whose artifacts and reported variables a job gets: those that it names or needs, otherwise all of the stages before. */
export function dependenciesOf(job: Job, jobs: Job[]) {
  return jobs.filter(other => other.id !== job.id && !other.isRetried && isWanted(job, other))
}

/** The archives of these jobs. */
export async function findArchives(em: EntityManager, chosen: Job[]) {
  const archives = await em.find(Artifact, { jobId: { $in: chosen.map(({ id }) => id) }, type: 'archive' })

  return chosen.flatMap(({ id, name }) => {
    const archive = archives.find(archive => archive.jobId === id)

    return archive ? [{ id, name, filename: archive.filename, size: archive.size }] : []
  })
}

export type Dependency = Awaited<ReturnType<typeof findArchives>>[number]

function isWanted({ keywords, needs, stageIndex }: Job, other: Job) {
  const named = valueAt(keywords, 'dependencies')
  const isOneOf = (names: unknown[]) => names.includes(other.name) || names.includes(other.base)

  if (Array.isArray(named)) return isOneOf(named)
  if (needs) return isOneOf(needs.filter(({ artifacts }) => artifacts).map(({ job }) => job))

  return other.stageIndex < stageIndex
}
