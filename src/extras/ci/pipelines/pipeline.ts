import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import type { Commit } from '#repositories/objects/read-commits.ts'

export const pipelineStatuses = [
  'created',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled'
] as const

export type PipelineStatus = (typeof pipelineStatuses)[number]

export const PipelineSchema = defineEntity({
  name: 'Pipeline',
  tableName: 'ci_pipelines',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    iid: p.bigint('number'),
    user: () => p.manyToOne(User).nullable(),
    /** `workflow:name`. */
    name: p.text().nullable(),
    ref: p.text(),
    isTag: p.boolean(),
    sha: p.text(),
    commit: p.json().$type<Commit>(),
    source: p.text(),
    status: p.text().$type<PipelineStatus>().default('created'),
    /** Given by its creator and encrypted, because they may be secret. */
    variables: p.blob().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt(),
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable()
  }
})

/** One run of a project's CI configuration, for a commit. */
export class Pipeline extends PipelineSchema.class {
  enter(status: PipelineStatus, at: Date) {
    const isComplete = ['success', 'failed', 'canceled', 'skipped'].includes(status)

    if (status === this.status) return
    this.status = status
    this.finishedAt = isComplete ? at : null
  }
}

PipelineSchema.setClass(Pipeline)
