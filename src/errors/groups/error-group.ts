import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'
import { isNewer } from '../releases/release-order.ts'

export const statuses = ['unresolved', 'resolved', 'ignored'] as const
export type Status = (typeof statuses)[number]

export const ErrorGroupSchema = defineEntity({
  name: 'ErrorGroup',
  tableName: 'error_groups',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    name: p.text(),
    description: p.text(),
    actor: p.text(),
    isMessage: p.boolean().default(false),
    platform: p.text().nullable(),
    level: p.text(),
    status: p.text().$type<Status>().default('unresolved'),
    events: p.bigint('number').default(0),
    users: p.bigint('number').default(0),
    environments: p.array<string>().columnType('text[]').default([]),
    releases: p.array<string>().columnType('text[]').default([]),
    firstRelease: p.text().nullable(),
    lastRelease: p.text().nullable(),
    assigneeId: p.bigint('number').nullable(),
    /** Either a user or a group is the assignee. */
    assigneeGroupId: p.bigint('number').nullable(),
    /** See `priorityName`. */
    priority: p.smallint().default(2),
    resolvedAt: p.datetime(3).nullable(),
    /** The release with the fix: only events of newer releases reopen the group. */
    resolvedIn: p.text().nullable(),
    /** Resolved in the next release: `resolvedIn` is the newest one at that time, null if there was none. */
    isResolvedInNext: p.boolean().default(false),
    ignoredUntil: p.datetime(3).nullable(),
    ignoredUntilEvents: p.bigint('number').nullable(),
    ignoredUntilUsers: p.bigint('number').nullable(),
    regressedAt: p.datetime(3).nullable(),
    /** The envelopes that created and reopened the group. */
    originEnvelope: p.uuid().nullable(),
    regressedBy: p.uuid().nullable(),
    firstSeenAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    /** The last change of the status or the assignee; events do not count. */
    updatedAt: updatedAt(),
    mergedInto: p.bigint('number').nullable(),
    /** The incident that was opened for the error. */
    issueId: p.bigint('number').nullable()
  },
  filters: { unmerged: { name: 'unmerged', cond: { mergedInto: null }, default: true } }
})

export interface Assignee {
  type: 'user' | 'group'
  id: number
}

interface Arrival {
  lastAt: Date
  releases: string[]
}

/** Events that are grouped as one problem. The API calls it an error, and its id the fingerprint. */
export class ErrorGroup extends ErrorGroupSchema.class {
  reopen() {
    setStatus(this, 'unresolved')
  }

  resolve(at: Date, { inRelease, isInNext = false }: { inRelease?: string; isInNext?: boolean } = {}) {
    setStatus(this, 'resolved')
    this.resolvedAt = at
    this.resolvedIn = inRelease ?? null
    this.isResolvedInNext = isInNext
  }

  /** Ignores new events for some minutes, for a number of events or users, or until the group is reopened. */
  ignore(at: Date, { minutes, events, users }: { minutes?: number; events?: number; users?: number } = {}) {
    setStatus(this, 'ignored')
    this.ignoredUntil = minutes === undefined ? null : new Date(at.getTime() + minutes * 60_000)
    this.ignoredUntilEvents = events === undefined ? null : this.events + events
    this.ignoredUntilUsers = users === undefined ? null : this.users + users
  }

  /** Whether new events, which `events` already includes, reopen the group. */
  isReopenedBy({ lastAt, releases }: Arrival, firstSeen: (release: string) => number | undefined, at: Date) {
    const { status, resolvedIn, resolvedAt, isResolvedInNext } = this

    if (status === 'ignored') return isIgnoredEnough(this, at)
    if (status === 'unresolved') return false
    if (resolvedIn) return releases.some(release => isNewer(release, resolvedIn, firstSeen))
    // Any release is newer than none.
    if (isResolvedInNext) return releases.length > 0

    return !resolvedAt || lastAt > resolvedAt
  }

  regress(envelopeId: string, at: Date) {
    this.reopen()
    this.regressedAt = at
    this.regressedBy = envelopeId
  }

  assignTo(assignee: Assignee | undefined) {
    this.assigneeId = assignee?.type === 'user' ? assignee.id : null
    this.assigneeGroupId = assignee?.type === 'group' ? assignee.id : null
  }

  auditTarget() {
    return { type: 'Error', id: this.id, details: this.name as string }
  }
}

/** Whether the time is over, or the number of events or users is reached. */
function isIgnoredEnough({ ignoredUntil, ignoredUntilEvents, ignoredUntilUsers, events, users }: ErrorGroup, at: Date) {
  if (ignoredUntil) return ignoredUntil <= at
  if (typeof ignoredUntilEvents === 'number') return events >= ignoredUntilEvents

  return typeof ignoredUntilUsers === 'number' && users >= ignoredUntilUsers
}

function setStatus(group: ErrorGroup, status: Status) {
  group.status = status
  group.resolvedAt = null
  group.resolvedIn = null
  group.isResolvedInNext = false
  group.ignoredUntil = null
  group.ignoredUntilEvents = null
  group.ignoredUntilUsers = null
}

ErrorGroupSchema.setClass(ErrorGroup)
