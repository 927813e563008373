import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import { Job } from './job.ts'

export async function findJob(em: EntityManager, project: Pick<Project, 'id'>, id: number) {
  const job = await em.findOne(Job, { id, projectId: project.id }, { populate: ['user', 'pipeline', 'runner', 'artifacts'] })

  if (!job) throw new NotFound()

  return job
}
