/** What can happen that users are notified about. */
export const outboxKinds = [
  'error.new',
  'error.regressed',
  'error.frequent',
  'error.unseen',
  'error.spike',
  'alert.triggered',
  'alert.acknowledged',
  'alert.resolved',
  'issue.opened',
  'issue.closed',
  'issue.reopened',
  'issue.reassigned',
  'issue.due',
  'note.created',
  'project.moved'
] as const
export type OutboxKind = (typeof outboxKinds)[number]

export interface NewOutboxEntry {
  kind: OutboxKind
  projectId: number
  /** The id of the error, alert, issue or project. */
  subjectId: number
  /** Undefined for the system. */
  actorId?: number | null
  /** Facts that the subject does not keep, such as the id of a note or the assignees that were added. */
  data?: OutboxData
  /** Deduplicates: an entry with a known key is dropped. */
  key?: string
}

export interface OutboxData {
  noteId?: number
  addedAssigneeIds?: number[]
  removedAssigneeIds?: number[]
  ruleId?: number
  /** It happened during this mute, which has ended, and goes on. */
  muteId?: number
  events?: number
  minutes?: number
  from?: string
  to?: string
}

export interface OutboxEntry {
  id: number
  kind: OutboxKind
  projectId: number
  subjectId: number
  actorId: number | null
  data: OutboxData
  createdAt: Date
}
