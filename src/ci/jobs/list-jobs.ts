import type { FilterQuery } from '@mikro-orm/core'
import type { EntityManager } from '../../platform/database/database.ts'
import { Job, type JobStatus } from './job.ts'

export interface JobFilter {
  projectId: number
  pipelineId?: number
  statuses?: JobStatus[]
  includeRetried?: boolean
}

/** Newest first. */
export function listJobs(em: EntityManager, { projectId, pipelineId, statuses = [], includeRetried = true }: JobFilter) {
  const where = {
    projectId,
    ...(pipelineId !== undefined && { pipeline: pipelineId }),
    ...(statuses.length > 0 && { status: { $in: statuses } }),
    ...(!includeRetried && { isRetried: false })
  } as FilterQuery<Job>
  const options = { orderBy: { id: 'desc' }, populate: ['user', 'pipeline'] } as const

  return {
    list: (limit: number, offset: number) => em.find(Job, where, { ...options, limit, offset }),
    listBefore: (id: number | undefined, limit: number) =>
      em.find(Job, (id === undefined ? where : { $and: [where, { id: { $lt: id } }] }) as FilterQuery<Job>, { ...options, limit }),
    count: () => em.fork().count(Job, where)
  }
}
