import type { FilterQuery } from '@mikro-orm/core'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { membershipsOf } from '#projects/visibility/memberships.ts'
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
  const options = { orderBy: { id: 'desc' }, populate: ['user', 'pipeline', 'runner', 'artifacts'] } as const

  return {
    list: (limit: number, offset: number) => em.find(Job, where, { ...options, limit, offset }),
    listBefore: (id: number | undefined, limit: number) =>
      em.find(Job, (id === undefined ? where : { $and: [where, { id: { $lt: id } }] }) as FilterQuery<Job>, { ...options, limit }),
    count: () => em.fork().count(Job, where)
  }
}

interface OfRunner {
  runnerId: number
  status?: JobStatus
  sort?: 'asc' | 'desc'
}

/** The jobs that a runner ran, in projects whose code the viewer may read, each with its project. */
export async function listJobsOfRunner(em: EntityManager, viewer: Viewer, { runnerId, status, sort = 'desc' }: OfRunner) {
  const where = {
    runner: runnerId,
    ...(status && { status }),
    ...(!viewer.isAdmin && { projectId: { $in: await readableProjectIds(em, viewer) } })
  } as FilterQuery<Job>

  return {
    list: async (limit: number, offset: number) => {
      const jobs = await em.find(Job, where, {
        orderBy: { id: sort },
        populate: ['user', 'pipeline', 'runner', 'artifacts'],
        limit,
        offset
      })
      const found = await em.find(Project, { id: { $in: jobs.map(({ projectId }) => projectId) } } as FilterQuery<Project>)

      return jobs.map(job => ({ job, project: found.find(({ id }) => id === job.projectId)! }))
    },
    count: () => em.fork().count(Job, where)
  }
}

async function readableProjectIds(em: EntityManager, viewer: Viewer) {
  const { namespaces, projects } = await membershipsOf(em, viewer, Role.reporter)
  const isMember = { $or: [{ id: { $in: projects } }, { namespace: { $in: namespaces } }] }

  return (await em.find(Project, isMember as FilterQuery<Project>, { fields: ['id'] })).map(({ id }) => id)
}
