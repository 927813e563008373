import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import type { Issue } from './issue.ts'

export const IssueEventSchema = defineEntity({
  name: 'IssueEvent',
  tableName: 'issue_events',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    issueId: p.bigint('number'),
    userId: p.bigint('number').nullable(),
    kind: p.text().$type<'label' | 'milestone' | 'state'>(),
    action: p.text().$type<'add' | 'remove' | 'closed' | 'reopened'>(),
    labelId: p.bigint('number').nullable(),
    milestoneId: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** GitLab's resource events: one change of an issue's labels, milestone or state. */
export class IssueEvent extends IssueEventSchema.class {}

IssueEventSchema.setClass(IssueEvent)

type Change = Pick<IssueEvent, 'kind' | 'action'> & Partial<Pick<IssueEvent, 'labelId' | 'milestoneId'>>

/** Adds an event to the unit of work: it is stored together with the change. */
export function recordEvent(em: EntityManager, issue: Issue, userId: number | null, change: Change) {
  em.create(IssueEvent, { issueId: issue.id, userId, ...change })
}
