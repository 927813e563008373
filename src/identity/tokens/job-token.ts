import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../users/user.ts'

export const JobTokenSchema = defineEntity({
  name: 'JobToken',
  tableName: 'job_tokens',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    jobId: p.bigint('number'),
    projectId: p.bigint('number'),
    /** The user who triggered the job. */
    user: () => p.manyToOne(User),
    tokenHash: p.blob(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3),
    /** Set when the job ends: its runner may still ask how. */
    endedAt: p.datetime(3).nullable()
  }
})

/** Authenticates a CI job of a project while it runs. */
export class JobToken extends JobTokenSchema.class {}

JobTokenSchema.setClass(JobToken)
