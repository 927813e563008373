import type { FilterQuery } from '@mikro-orm/core'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityList, mapRows } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { membershipsOf } from '#projects/visibility/membership-store.ts'
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

  return entityList(em, Job, where, { populate: [...shown] })
}

/** What clients see of a job. */
const shown = ['user', 'pipeline', 'runner', 'artifacts'] as const

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

  const jobs = entityList(em, Job, where, { sort, populate: [...shown] })

  return mapRows(jobs, async rows => {
    const found = await em.find(Project, { id: { $in: rows.map(({ projectId }) => projectId) } } as FilterQuery<Project>)

    return rows.map(job => ({ job, project: found.find(({ id }) => id === job.projectId)! }))
  })
}

async function readableProjectIds(em: EntityManager, viewer: Viewer) {
  const { namespaces, projects } = await membershipsOf(em, viewer, Role.reporter)
  const isMember = { $or: [{ id: { $in: projects } }, { namespace: { $in: namespaces } }] }

  return (await em.find(Project, isMember as FilterQuery<Project>, { fields: ['id'] })).map(({ id }) => id)
}
