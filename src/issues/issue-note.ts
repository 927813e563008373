import { randomBytes } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import type { Issue } from './issue.ts'

/** What a status update says of an incident. */
export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type IncidentStatus = (typeof incidentStatuses)[number]

export const IssueNoteSchema = defineEntity({
  name: 'IssueNote',
  tableName: 'issue_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    issueId: p.bigint('number'),
    authorId: p.bigint('number').nullable(),
    /** Null for comments. */
    action: p.text().nullable(),
    body: p.text(),
    /** Only of status updates. */
    incidentStatus: p.text().$type<IncidentStatus>().nullable(),
    /** Replies have the discussion of the first note. */
    discussionId: p.text().onCreate(() => randomBytes(20).toString('hex')),
    /** Whether the discussion is a thread, instead of a note without replies. */
    isThreaded: p.boolean().default(false),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A comment on an issue, or a system note about a change. */
export class IssueNote extends IssueNoteSchema.class {}

IssueNoteSchema.setClass(IssueNote)

export type IssueAction =
  | 'state'
  | 'assignees'
  | 'title'
  | 'description'
  | 'severity'
  | 'labels'
  | 'milestone'
  | 'due_date'
  | 'confidentiality'
  | 'time'
  | 'move'
  | 'links'
  | 'alerts'
  | 'errors'

/** Adds a system note to the unit of work: it is stored together with the change. */
export function recordNote(em: EntityManager, issue: Issue, authorId: number | null, action: IssueAction, body: string) {
  em.create(IssueNote, { issueId: issue.id, authorId, action, body })
}
