import { recordActivity } from '#activity/activity-store.ts'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { InvalidInput, MissingParameters, MutuallyExclusive, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { isAssigneeGroup } from '#projects/members/assignee-group-store.ts'
import { isMember } from '#projects/members/member-store.ts'
import type { Project } from '#projects/project.ts'
import { findNewestRelease } from '../releases/find-releases.ts'
import type { ErrorGroup, Status } from './error-group.ts'
import { type Priority, priorityValue } from './priority.ts'

export interface GroupChanges {
  status?: Status
  /** A release, or `next`. */
  resolved_in?: string
  /** The commit with the fix that was deployed. */
  commit?: string
  /** Minutes. */
  ignored_for?: number
  ignored_for_events?: number
  ignored_for_users?: number
  /** Null or 0 to unassign. */
  assignee_id?: number | null
  /** Instead of a user. Null or 0 to unassign. */
  assignee_group_id?: number | null
  priority?: Priority
}

interface Subject {
  project: Project
  group: ErrorGroup
}

/** Resolves, ignores, reopens or assigns an error. Records each request as an audit event, and a change of status as activity. */
export async function changeGroup(em: EntityManager, { project, group }: Subject, changes: GroupChanges, by: Actor, at: Date) {
  validateChanges(changes)
  await em.transactional(async em => {
    // Serialises with workers, which lock the row when they add events.
    await lockForChange(em, group)
    const from = group.status

    await assign(em, group, changes)
    if (changes.priority) group.priority = priorityValue(changes.priority)
    await setStatus(em, group, changes, at)
    if (group.status !== from) await recordStatusChange(em, group, by)
    recordAuditEvent(em, by, {
      name: 'error_updated',
      entity: project.audited(),
      target: group.auditTarget(),
      details: { fingerprint: group.id, ...changes, ...(group.status !== from && { change: 'status', from, to: group.status }) }
    })
  })
}

/** Refuses what no error of the project can be changed to. */
export async function checkChanges(em: EntityManager, project: Project, changes: GroupChanges) {
  validateChanges(changes)
  await checkAssignee(em, project.id, changes)
}

function validateChanges({ status, resolved_in, assignee_id, assignee_group_id, priority, ...changes }: GroupChanges) {
  const limits = (['ignored_for', 'ignored_for_events', 'ignored_for_users'] as const).filter(name => changes[name] !== undefined)

  if ([status, assignee_id, assignee_group_id, priority].every(value => value === undefined))
    throw new MissingParameters('status', 'assignee_id', 'assignee_group_id', 'priority')
  if (assignee_id && assignee_group_id) throw new MutuallyExclusive('assignee_id', 'assignee_group_id')
  if (limits.length > 1) throw new MutuallyExclusive(...limits)
  if (resolved_in !== undefined && status !== 'resolved') throw new InvalidInput('resolved_in requires status resolved')
  if (limits.length > 0 && status !== 'ignored') throw new InvalidInput(`${limits[0]} requires status ignored`)
}

async function assign(em: EntityManager, group: ErrorGroup, changes: GroupChanges) {
  const { assignee_id: userId, assignee_group_id: groupId } = changes

  if (userId === undefined && groupId === undefined) return
  await checkAssignee(em, group.projectId, changes)
  group.assignTo(userId ? { type: 'user', id: userId } : groupId ? { type: 'group', id: groupId } : undefined)
}

async function checkAssignee(em: EntityManager, projectId: number, { assignee_id: userId, assignee_group_id: groupId }: GroupChanges) {
  if (userId && !(await isMember(em, projectId, userId))) {
    throw new ValidationFailed({ assignee_id: ['is not a member of the project'] })
  }
  if (groupId && !(await isAssigneeGroup(em, projectId, groupId))) {
    throw new ValidationFailed({ assignee_group_id: ['is not a group that the project is in or shared with'] })
  }
}

async function setStatus(em: EntityManager, group: ErrorGroup, changes: GroupChanges, at: Date) {
  const { status, resolved_in: release, ignored_for: minutes, ignored_for_events: events, ignored_for_users: users } = changes

  if (status === 'unresolved') group.reopen()
  if (status === 'ignored') group.ignore(at, { minutes, events, users })
  if (status === 'resolved') {
    const isInNext = release === 'next'
    const inRelease = isInNext ? await findNewestRelease(em, group.projectId, group.lastRelease) : release

    group.resolve(at, { inRelease, isInNext })
  }
}

function recordStatusChange(em: EntityManager, { projectId, id, name, status }: ErrorGroup, by: Actor) {
  const action = status === 'unresolved' ? 'reopened' : 'closed'

  return recordActivity(em, { projectId, authorId: by.user?.id, action, target: { type: 'Error', id, title: name } })
}
