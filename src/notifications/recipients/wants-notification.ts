import type { OutboxKind } from '#outbox/outbox-entry.ts'
import type { EffectiveSetting } from '../settings/effective-settings.ts'
import type { Flag } from '../settings/notification-setting.ts'

/** What a user has to do with something that happened. */
export interface Involvement {
  isMentioned: boolean
  /** Author, assignee, commenter, or mentioned earlier. */
  isParticipant: boolean
}

const flagOf: Partial<Record<OutboxKind, Flag>> = {
  'issue.opened': 'new_issue',
  'issue.closed': 'close_issue',
  'issue.reopened': 'reopen_issue',
  'issue.reassigned': 'reassign_issue',
  'issue.due': 'issue_due',
  'note.created': 'new_note',
  'project.moved': 'moved_project'
}

/** Whether personal notifications exist for it; rules are about the rest. */
export function isPersonal(kind: OutboxKind) {
  return kind in flagOf
}

/** Whether a user's setting asks for a notification. */
export function wantsNotification(kind: OutboxKind, { level, wants }: EffectiveSetting, { isMentioned, isParticipant }: Involvement) {
  const flag = flagOf[kind]

  if (!flag || level === 'disabled') return false
  // All members need to know where their project is.
  if (kind === 'project.moved') return level !== 'custom' || wants(flag)
  if (level === 'mention') return isMentioned
  if (isMentioned || isParticipant) return true

  return level === 'watch' ? kind !== 'issue.due' : level === 'custom' && wants(flag)
}
