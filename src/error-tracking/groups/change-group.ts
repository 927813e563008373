import { BadParameter, MissingParameters, MutuallyExclusive, ValidationFailed } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { isMember } from '../../projects/members/is-member.ts'
import { newestRelease } from '../releases/newest-release.ts'
import type { ErrorGroup, Status } from './error-group.ts'

/** What somebody decides about an error. */
export interface Decision {
  status?: Status
  /** A release, or `next`. */
  resolved_in?: string
  /** Minutes. */
  ignored_for?: number
  ignored_for_events?: number
  /** Null or 0 for nobody. */
  assignee_id?: number | null
}

/** Part of its caller's transaction, which has the group's row locked. */
export async function change(em: EntityManager, group: ErrorGroup, decision: Decision, at: Date) {
  checkDecision(decision)
  const { status, resolved_in: release, ignored_for: minutes, ignored_for_events: events, assignee_id: assignee } = decision

  if (assignee && !(await isMember(em, group.projectId, assignee))) {
    throw new ValidationFailed({ assignee_id: ['is not a member of the project'] })
  }
  if (assignee !== undefined) group.assigneeId = assignee || null
  if (status === 'unresolved') group.reopen()
  if (status === 'ignored') group.ignore(at, { minutes, events })
  if (status === 'resolved') {
    const isInNext = release === 'next'
    const inRelease = isInNext ? await newestRelease(em, group.projectId, group.lastRelease) : release

    group.resolve(at, { inRelease, isInNext })
  }
}

function checkDecision(decision: Decision) {
  const { status, resolved_in: release, ignored_for: minutes, ignored_for_events: events, assignee_id: assignee } = decision

  if (status === undefined && assignee === undefined) throw new MissingParameters('status', 'assignee_id')
  if (minutes !== undefined && events !== undefined) throw new MutuallyExclusive('ignored_for', 'ignored_for_events')
  if (release !== undefined && status !== 'resolved') throw new BadParameter('resolved_in goes with status resolved only')
  if ((minutes ?? events) !== undefined && status !== 'ignored') {
    throw new BadParameter('ignored_for and ignored_for_events go with status ignored only')
  }
}
