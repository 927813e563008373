import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import { Pipeline } from './pipeline.ts'
import { presentPipeline } from './present-pipeline.ts'

/** The latest pipeline of a commit, as REST shows it. */
export async function findLastPipeline(em: EntityManager, baseUrl: string, project: Project, sha: string) {
  const [pipeline] = await em.find(Pipeline, { projectId: project.id, sha }, { orderBy: { id: 'desc' }, limit: 1 })

  if (!pipeline) return undefined
  const { name: _, ...shown } = presentPipeline(pipeline, { baseUrl, project })

  return shown
}
