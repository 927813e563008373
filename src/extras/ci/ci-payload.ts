import {
  type Context,
  findProjectOf,
  presentActor,
  presentHookProject,
  presentRepository,
  writeHookTime
} from '#extras/webhooks/payloads/users-and-projects.ts'
import type { User } from '#identity/users/user.ts'
import type { WebhookEvent } from '#outbox/outbox-entry.ts'
import type { Project } from '#projects/project.ts'
import type { Notice } from '../webhooks/events.ts'
import { Job } from './jobs/job.ts'
import { Pipeline } from './pipelines/pipeline.ts'
import { pipelineUrl, secondsBetween, wholeSecondsBetween } from './pipelines/present-pipeline.ts'

const zeros = '0'.repeat(40)

/** A pipeline entered a status. */
export async function pipelineNotices(context: Context, { projectId, data }: WebhookEvent): Promise<Notice[]> {
  const project = await findProjectOf(context, projectId)
  const pipeline = await context.em.findOne(Pipeline, { id: Number(data.id) }, { populate: ['user'] })
  if (!project || !pipeline) return []
  const { baseUrl } = context
  const jobs = await context.em.find(Job, { pipeline: pipeline.id, isRetried: false }, { orderBy: { id: 'asc' }, populate: ['user'] })
  const { id, iid, name = null, ref, isTag, sha, source, createdAt, startedAt, finishedAt } = pipeline
  const payload = {
    object_kind: 'pipeline',
    object_attributes: {
      id,
      iid,
      name,
      ref,
      tag: isTag,
      sha,
      before_sha: zeros,
      source,
      status: data.status,
      detailed_status: data.status,
      stages: [...new Set(jobs.map(({ stage }) => stage))],
      created_at: writeHookTime(createdAt),
      finished_at: finishedAt ? writeHookTime(finishedAt) : null,
      duration: wholeSecondsBetween(startedAt, finishedAt),
      queued_duration: wholeSecondsBetween(createdAt, startedAt),
      variables: [],
      url: pipelineUrl(pipeline, { baseUrl, project })
    },
    merge_request: null,
    user: presentActor((pipeline.user as User | null) ?? null, baseUrl),
    project: presentHookProject(project, baseUrl),
    commit: presentCommit(pipeline, project, baseUrl),
    builds: jobs.map(job => presentBuild(job, baseUrl))
  }

  return [{ flag: 'pipeline_events', audience: 'resource', name: 'Pipeline Hook', payload }]
}

/** A job entered a status. */
export async function jobNotices(context: Context, { projectId, data }: WebhookEvent): Promise<Notice[]> {
  const project = await findProjectOf(context, projectId)
  const job = await context.em.findOne(Job, { id: Number(data.id) }, { populate: ['user', 'pipeline'] })
  if (!project || !job) return []
  const { baseUrl } = context
  const pipeline = job.pipeline as Pipeline
  const payload = {
    object_kind: 'build',
    ref: pipeline.ref,
    tag: pipeline.isTag,
    before_sha: zeros,
    sha: pipeline.sha,
    build_id: job.id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: data.status,
    ...timesOf(job, 'build_'),
    build_allow_failure: job.allowFailure,
    build_failure_reason: job.failureReason ?? 'unknown_failure',
    pipeline_id: pipeline.id,
    runner: null,
    project_id: project.id,
    project_name: `${project.namespace.name} / ${project.name}`,
    user: presentActor((job.user as User | null) ?? null, baseUrl),
    commit: { ...presentCommit(pipeline, project, baseUrl), sha: pipeline.sha, status: pipeline.status },
    repository: presentRepository(project, baseUrl),
    project: presentHookProject(project, baseUrl),
    environment: null
  }

  return [{ flag: 'job_events', audience: 'resource', name: 'Job Hook', payload }]
}

function presentBuild(job: Job, baseUrl: string) {
  const { id, stage, name, status, failureReason, startWhen, allowFailure } = job

  return {
    id,
    stage,
    name,
    status,
    ...timesOf(job, ''),
    failure_reason: failureReason ?? null,
    when: startWhen,
    manual: startWhen === 'manual',
    allow_failure: allowFailure,
    user: presentActor((job.user as User | null) ?? null, baseUrl),
    runner: null,
    artifacts_file: { filename: null, size: null },
    environment: null
  }
}

function timesOf({ createdAt, queuedAt, startedAt, finishedAt }: Job, prefix: string) {
  const write = (time: Date | null | undefined) => (time ? writeHookTime(time) : null)

  return {
    [`${prefix}created_at`]: write(createdAt),
    [`${prefix}started_at`]: write(startedAt),
    [`${prefix}finished_at`]: write(finishedAt),
    [`${prefix}duration`]: secondsBetween(startedAt, finishedAt),
    [`${prefix}queued_duration`]: secondsBetween(queuedAt, startedAt)
  }
}

function presentCommit({ commit: { id, message, author } }: Pipeline, project: Project, baseUrl: string) {
  return {
    id,
    message,
    title: message.split('\n', 1)[0],
    timestamp: author.at,
    url: `${baseUrl}/${project.fullPath}/-/commit/${id}`,
    author: { name: author.name, email: author.email }
  }
}
