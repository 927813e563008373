import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import type { Need, When } from '../config/job.ts'
import { type Mapping, valueAt } from '../config/mapping.ts'
import { Pipeline } from '../pipelines/pipeline.ts'
import { Runner } from '../runners/runner.ts'

export const jobStatuses = ['created', 'pending', 'running', 'success', 'failed', 'canceled', 'skipped', 'manual', 'scheduled'] as const

export type JobStatus = (typeof jobStatuses)[number]

const completeStatuses: readonly JobStatus[] = ['success', 'failed', 'canceled', 'skipped']

export interface LeftFile {
  type: string
  size: number
  filename: string
  format: string
  expiresAt: string | null
}

export interface Ending {
  status: 'success' | 'failed'
  failureReason?: string | undefined
  exitCode?: number | undefined
}

export const JobSchema = defineEntity({
  name: 'Job',
  tableName: 'ci_jobs',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    pipeline: () => p.manyToOne(Pipeline),
    user: () => p.manyToOne(User).nullable(),
    name: p.text(),
    /** The name in the configuration: jobs that run in parallel share it. */
    base: p.text(),
    stage: p.text(),
    stageIndex: p.integer(),
    status: p.text().$type<JobStatus>().default('created'),
    startWhen: p.text().$type<When>(),
    allowFailure: p.boolean(),
    /** Null: the job waits for the stages before its own. */
    needs: p.json().$type<Need[]>().nullable(),
    keywords: p.json().$type<Mapping>(),
    variables: p.json().$type<Record<string, string>>(),
    /** Given by the user who started it by hand; encrypted. */
    givenVariables: p.blob().$type<Buffer>().nullable(),
    /** The runner that took it. */
    runner: () => p.manyToOne(Runner).nullable(),
    tags: p.array<string>().columnType('text[]').default([]),
    timeoutSeconds: p.integer(),
    /** A later job of the same name replaces this one. */
    isRetried: p.boolean().default(false),
    failureReason: p.text().nullable(),
    exitCode: p.integer().nullable(),
    /** What it left. */
    artifacts: p
      .json()
      .$type<LeftFile[]>()
      .formula(
        columns =>
          `(SELECT coalesce(jsonb_agg(jsonb_build_object('type', a.type, 'size', a.size, 'filename', a.filename, 'format', a.format, 'expiresAt', a.expires_at) ORDER BY a.id), '[]') FROM ci_job_artifacts a WHERE a.job_id = ${columns}.id)`
      )
      .lazy()
      .persist(false),
    /** Variables of its dotenv report, encrypted. */
    reportedVariables: p.blob().nullable().lazy(),
    traceSize: p.integer().default(0),
    /** The last time that its runner was heard of. */
    seenAt: p.datetime(3).nullable(),
    /** When a delayed job starts. */
    scheduledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    queuedAt: p.datetime(3).nullable(),
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
    erasedAt: p.datetime(3).nullable()
  }
})

/** One job of a pipeline. */
export class Job extends JobSchema.class {
  isComplete() {
    return completeStatuses.includes(this.status)
  }

  /** Failed or canceled, and its pipeline fails with it. */
  isFailure() {
    return (this.status === 'failed' || this.status === 'canceled') && !this.allowFailure
  }

  enqueue(at: Date) {
    this.status = 'pending'
    this.queuedAt = at
  }

  start(at: Date) {
    this.status = 'running'
    this.startedAt = at
  }

  /** How a runner says that it ended. */
  end({ status, failureReason, exitCode }: Ending, at: Date) {
    const codes: unknown[] = [valueAt(valueAt(this.keywords, 'allow_failure'), 'exit_codes') ?? []].flat()

    // With exit codes, other failures are not allowed.
    if (status === 'failed' && codes.length > 0) this.allowFailure = codes.includes(exitCode)
    this.exitCode = exitCode ?? null
    this.finish(status, at, status === 'failed' ? (failureReason ?? 'unknown_failure') : undefined)
  }

  finish(status: 'success' | 'failed' | 'canceled' | 'skipped', at: Date, failureReason?: string) {
    this.status = status
    this.finishedAt = at
    this.failureReason = failureReason ?? null
  }

  schedule(seconds: number, at: Date) {
    this.status = 'scheduled'
    this.scheduledAt = new Date(at.getTime() + seconds * 1000)
  }
}

JobSchema.setClass(Job)
