import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const runnerTypes = ['instance_type', 'group_type', 'project_type'] as const
export type RunnerType = (typeof runnerTypes)[number]

export const runnerStatuses = ['online', 'offline', 'stale', 'never_contacted'] as const
export type RunnerStatus = (typeof runnerStatuses)[number]

/** What a runner says of itself. */
export interface RunnerInfo {
  name?: string | null
  version?: string | null
  revision?: string | null
  platform?: string | null
  architecture?: string | null
}

const hourMs = 3_600_000
const onlineMs = 2 * hourMs
const staleMs = 7 * 24 * hourMs

export const RunnerSchema = defineEntity({
  name: 'Runner',
  tableName: 'ci_runners',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    type: p.text().$type<RunnerType>(),
    groupId: p.bigint('number').nullable(),
    creator: () => p.manyToOne(User).nullable(),
    description: p.text().nullable(),
    maintenanceNote: p.text().nullable(),
    tokenHash: p.blob(),
    isPaused: p.boolean().default(false),
    /** It can be added to no other project. */
    isLocked: p.boolean().default(false),
    runsUntagged: p.boolean().default(true),
    tags: p.array<string>().columnType('text[]').default([]),
    accessLevel: p.text().$type<'not_protected' | 'ref_protected'>().default('not_protected'),
    /** Seconds of a job. */
    maximumTimeout: p.integer().nullable(),
    info: p.json().$type<RunnerInfo>(),
    ipAddress: p.text().nullable(),
    contactedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A machine that runs jobs: of all projects, of those in a group, or of chosen ones. */
export class Runner extends RunnerSchema.class {
  audited() {
    return { type: 'Ci::Runner', id: this.id, details: this.description ?? '' }
  }

  statusAt(at: Date) {
    return statusAt(at, this.contactedAt, this.createdAt)
  }
}

/** Online when heard of within two hours, stale after a week of silence. */
export function statusAt(at: Date, contactedAt: Date | null | undefined, createdAt: Date): RunnerStatus {
  const silentMs = at.getTime() - (contactedAt ?? createdAt).getTime()

  if (contactedAt && silentMs < onlineMs) return 'online'
  if (silentMs >= staleMs) return 'stale'

  return contactedAt ? 'offline' : 'never_contacted'
}

RunnerSchema.setClass(Runner)
