import Type from 'typebox'
import { CommitShape, presentCommit } from '#extras/source-code/commits/present-commit.ts'
import type { User } from '#identity/users/user.ts'
import { Nullable } from '#lib/nullable.ts'
import { presentPerson } from '#projects/present-project.ts'
import { Person } from '#projects/schemas.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import { type CiView, PipelineShape, presentPipeline, secondsBetween } from '../pipelines/present-pipeline.ts'
import type { Runner } from '../runners/runner.ts'
import type { Job, LeftFile } from './job.ts'

const Time = Nullable(Type.String())

export const JobShape = Type.Object({
  id: Type.Integer(),
  status: Type.String(),
  stage: Type.String(),
  name: Type.String(),
  ref: Type.String(),
  tag: Type.Boolean(),
  coverage: Type.Null(),
  allow_failure: Type.Boolean(),
  created_at: Type.String(),
  started_at: Time,
  finished_at: Time,
  erased_at: Time,
  duration: Nullable(Type.Number({ description: 'Seconds.' })),
  queued_duration: Nullable(Type.Number({ description: 'Seconds.' })),
  user: Nullable(Person),
  commit: CommitShape,
  pipeline: Type.Omit(PipelineShape, ['name']),
  failure_reason: Type.Optional(Type.String()),
  web_url: Type.String(),
  project: Type.Object({ ci_job_token_scope_enabled: Type.Boolean() }),
  artifacts: Type.Array(Type.Object({}, { additionalProperties: true })),
  runner: Nullable(Type.Object({}, { additionalProperties: true })),
  artifacts_expire_at: Time,
  artifacts_file: Type.Optional(Type.Object({ filename: Type.String(), size: Type.Integer() })),
  archived: Type.Literal(false),
  tag_list: Type.Array(Type.String())
})

export function presentJob(job: Job, view: CiView) {
  const pipeline = job.pipeline as Pipeline
  const artifacts = (job.artifacts as LeftFile[] | undefined) ?? []
  const archive = artifacts.find(({ type }) => type === 'archive')
  const projectUrl = `${view.baseUrl}/${view.project.fullPath}`
  const { name: _, ...shown } = presentPipeline(pipeline, view)

  return {
    id: job.id,
    status: job.status,
    stage: job.stage,
    name: job.name,
    ref: pipeline.ref,
    tag: pipeline.isTag,
    coverage: null,
    allow_failure: job.allowFailure,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    erased_at: job.erasedAt?.toISOString() ?? null,
    duration: secondsBetween(job.startedAt, job.finishedAt),
    queued_duration: secondsBetween(job.queuedAt, job.startedAt),
    user: job.user ? presentPerson(job.user as User, view.baseUrl) : null,
    commit: presentCommit(pipeline.commit, { projectUrl }),
    pipeline: shown,
    ...(job.failureReason && { failure_reason: job.failureReason }),
    web_url: `${projectUrl}/-/jobs/${job.id}`,
    project: { ci_job_token_scope_enabled: view.project.limitsJobTokenReach },
    artifacts: artifacts.map(({ type, size, filename, format }) => ({ file_type: type, size, filename, file_format: format })),
    ...(archive && { artifacts_file: { filename: archive.filename, size: archive.size } }),
    runner: job.runner ? presentTaker(job.runner as Runner) : null,
    artifacts_expire_at: archive?.expiresAt ? new Date(archive.expiresAt).toISOString() : null,
    archived: false as const,
    tag_list: job.tags
  }
}

/** The runner that took a job, without its secrets and addresses. */
function presentTaker(runner: Runner) {
  return {
    id: runner.id,
    description: runner.description ?? null,
    ip_address: '',
    active: !runner.isPaused,
    paused: runner.isPaused,
    is_shared: runner.type === 'instance_type',
    runner_type: runner.type,
    name: runner.info.name ?? null,
    online: runner.statusAt(new Date()) === 'online',
    status: runner.statusAt(new Date())
  }
}
