/** What can happen that users are notified about. */
export const outboxKinds = [
  'error.new',
  'error.regressed',
  'error.frequent',
  'error.unseen',
  'error.spike',
  'feedback.new',
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

/** A mail to one person about their account, or about access to a project or a group. */
export interface NewMail {
  kind:
    | 'invitation'
    | 'access.requested'
    | 'access.granted'
    | 'access.denied'
    | 'confirmation'
    | 'password.reset'
    | 'password.welcome'
    | 'password.changed'
    | 'identity.connected'
    | 'passkey.added'
    | 'passkey.removed'
    | 'sign-up.link'
    | 'sign-up.pending'
    | 'sign-up.approved'
    | 'sign-up.rejected'
  owner?: { type: 'Project' | 'Group'; id: number }
  /** The recipient, 0 for nobody or for the address in `data`; for an invitation, the invitation, which has an address. */
  subjectId: number
  /** Who invited, asked or decided. */
  actorId?: number | null
  data?: MailData
  key?: string
}

export interface MailData {
  accessLevel?: number
  /** The host of an OpenID Connect provider. */
  provider?: string
  /** The name of a passkey. */
  passkey?: string
  /** The address to confirm, or of someone without an account. */
  email?: string
  /** When the link stops working. */
  expiresAt?: string
}

export interface OutboxMail extends Pick<OutboxEntry, 'id' | 'subjectId' | 'actorId' | 'createdAt'> {
  kind: NewMail['kind']
  projectId: number | null
  groupId: number | null
  data: MailData
}

/** An event to deliver to webhooks. */
export interface NewWebhookEvent {
  kind: 'issue' | 'note' | 'push' | 'audit' | 'pipeline' | 'job'
  projectId?: number | null
  /** Defaults to the namespace of the project, which may be gone when webhooks are looked for. */
  groupId?: number | null
  actorId?: number | null
  data: Record<string, unknown>
  key?: string
  /** The UUID of the event that led to it. */
  chain?: string | undefined
}

export interface WebhookEvent extends NewWebhookEvent {
  id: number
  uuid: string
  createdAt: Date
}
