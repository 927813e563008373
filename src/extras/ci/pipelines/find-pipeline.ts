import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import { Pipeline } from './pipeline.ts'

export async function findPipeline(em: EntityManager, project: Pick<Project, 'id'>, id: number) {
  const pipeline = await em.findOne(Pipeline, { id, projectId: project.id }, { populate: ['user'] })

  if (!pipeline) throw new NotFound('Pipeline')

  return pipeline
}
