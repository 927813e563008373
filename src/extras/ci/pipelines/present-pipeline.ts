import Type from 'typebox'
import type { User } from '#identity/users/user.ts'
import { Nullable } from '#lib/nullable.ts'
import { presentPerson } from '#projects/present-project.ts'
import type { Project } from '#projects/project.ts'
import { Person } from '#projects/schemas.ts'
import { presentStatus } from '../present-status.ts'
import type { Pipeline } from './pipeline.ts'

const Time = Nullable(Type.String())

export const PipelineShape = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String(),
  status: Type.String(),
  source: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  web_url: Type.String(),
  name: Nullable(Type.String({ description: '`workflow:name`.' }))
})

export const DetailedPipeline = Type.Object({
  ...PipelineShape.properties,
  before_sha: Type.String(),
  tag: Type.Boolean(),
  yaml_errors: Type.Null(),
  user: Nullable(Person),
  started_at: Time,
  finished_at: Time,
  committed_at: Type.Null(),
  duration: Nullable(Type.Integer({ description: 'Seconds.' })),
  queued_duration: Nullable(Type.Integer({ description: 'Seconds.' })),
  coverage: Type.Null(),
  archived: Type.Literal(false),
  detailed_status: Type.Object({}, { additionalProperties: true })
})

export interface CiView {
  baseUrl: string
  project: Pick<Project, 'fullPath' | 'limitsJobTokenReach'>
}

export function presentPipeline(pipeline: Pipeline, view: CiView) {
  return {
    id: pipeline.id,
    iid: pipeline.iid,
    project_id: pipeline.projectId,
    sha: pipeline.sha,
    ref: pipeline.ref,
    status: pipeline.status,
    source: pipeline.source,
    created_at: pipeline.createdAt.toISOString(),
    updated_at: pipeline.updatedAt.toISOString(),
    web_url: pipelineUrl(pipeline, view),
    name: pipeline.name ?? null
  }
}

export function presentDetails(pipeline: Pipeline, view: CiView) {
  const { user, startedAt, finishedAt, createdAt, isTag, status } = pipeline

  return {
    ...presentPipeline(pipeline, view),
    before_sha: '0'.repeat(40),
    tag: isTag,
    yaml_errors: null,
    user: user ? presentPerson(user as User, view.baseUrl) : null,
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    committed_at: null,
    duration: wholeSecondsBetween(startedAt, finishedAt),
    queued_duration: wholeSecondsBetween(createdAt, startedAt),
    coverage: null,
    archived: false as const,
    detailed_status: presentStatus(status, pipelineUrl(pipeline, view))
  }
}

export function pipelineUrl({ id }: { id: number }, { baseUrl, project }: CiView) {
  return `${baseUrl}/${project.fullPath}/-/pipelines/${id}`
}

/** As GitLab has it: clients in Go read the times of a pipeline as integers, and those of a job as numbers. */
export function wholeSecondsBetween(start: Date | null | undefined, end: Date | null | undefined) {
  const seconds = secondsBetween(start, end)

  return seconds === null ? null : Math.floor(seconds)
}

export function secondsBetween(start: Date | null | undefined, end: Date | null | undefined) {
  return start && end ? Math.max(0, end.getTime() - start.getTime()) / 1000 : null
}
