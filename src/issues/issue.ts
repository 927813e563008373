import { defineEntity, p } from '@mikro-orm/core'
import type { Severity } from '#lib/severity.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const issueTypes = ['issue', 'incident'] as const
export type IssueType = (typeof issueTypes)[number]
export type IssueState = 'opened' | 'closed'

export const IssueSchema = defineEntity({
  name: 'Issue',
  tableName: 'issues',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    iid: p.bigint('number'),
    issueType: p.text().$type<IssueType>().default('issue'),
    state: p.text().$type<IssueState>().default('opened'),
    title: p.text(),
    description: p.text().nullable(),
    /** Only shown for incidents. */
    severity: p.text().$type<Severity>().columnType('alert_severity').default('unknown'),
    /** Null when created from an alert. */
    authorId: p.bigint('number').nullable(),
    milestoneId: p.bigint('number').nullable(),
    /** The day by which it should be closed, such as `2030-12-31`. */
    dueDate: p.date().nullable(),
    /** Hidden from those who are not reporters, other than its author; also in the activity. */
    isConfidential: p.boolean().default(false),
    /** Seconds. */
    timeEstimate: p.integer().default(0),
    timeSpent: p.integer().default(0),
    /** The issue in another project that it became. */
    movedToId: p.bigint('number').nullable(),
    closedById: p.bigint('number').nullable(),
    closedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** An issue, or an incident: an issue about a failure, opened by a user or from an alert. */
export class Issue extends IssueSchema.class {
  /** Returns whether the state changed. */
  close(at: Date, byId: number | null = null) {
    if (this.state === 'closed') return false
    this.state = 'closed'
    this.closedAt = at
    this.closedById = byId

    return true
  }

  reopen() {
    if (this.state === 'opened') return false
    this.state = 'opened'
    this.closedAt = null
    this.closedById = null

    return true
  }
}

IssueSchema.setClass(Issue)
