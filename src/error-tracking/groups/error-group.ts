import { defineEntity, p } from '@mikro-orm/core'

export const statuses = ['unresolved', 'resolved', 'ignored'] as const
export type Status = (typeof statuses)[number]

const ErrorGroupSchema = defineEntity({
  name: 'ErrorGroup',
  tableName: 'error_groups',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    name: p.text(),
    description: p.text(),
    actor: p.text(),
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
    resolvedAt: p.datetime(3).nullable(),
    /** The release that holds the mend; events of it or of older ones are no news. */
    resolvedIn: p.text().nullable(),
    /** Whatever release comes after `resolvedIn`. */
    isResolvedInNext: p.boolean().default(false),
    ignoredUntil: p.datetime(3).nullable(),
    ignoredUntilEvents: p.bigint('number').nullable(),
    regressedAt: p.datetime(3).nullable(),
    firstSeenAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    /** The group that it is a part of; it is none of its own any more. */
    mergedInto: p.bigint('number').nullable()
  },
  filters: { standing: { name: 'standing', cond: { mergedInto: null }, default: true } }
})

/** Errors that are one problem; the API calls it an error, and its id the fingerprint. */
export class ErrorGroup extends ErrorGroupSchema.class {
  reopen() {
    settle(this, 'unresolved')
  }

  /** Mended: now, with a release, or with whatever release comes after the newest one that is known. */
  resolve(at: Date, { inRelease, isInNext = false }: { inRelease?: string; isInNext?: boolean } = {}) {
    settle(this, 'resolved')
    this.resolvedAt = at
    this.resolvedIn = inRelease ?? null
    this.isResolvedInNext = isInNext
  }

  /** Not worth anybody's time: for good, for a while, or for so many more events. */
  ignore(at: Date, { minutes, events }: { minutes?: number; events?: number } = {}) {
    settle(this, 'ignored')
    this.ignoredUntil = minutes === undefined ? null : new Date(at.getTime() + minutes * 60_000)
    this.ignoredUntilEvents = events === undefined ? null : this.events + events
  }
}

/** What was decided before no longer holds. */
function settle(group: ErrorGroup, status: Status) {
  group.status = status
  group.resolvedAt = null
  group.resolvedIn = null
  group.isResolvedInNext = false
  group.ignoredUntil = null
  group.ignoredUntilEvents = null
}

ErrorGroupSchema.setClass(ErrorGroup)
