import type { Actor } from '#audit/record-audit-event.ts'
import type { Issue } from '#issues/issue.ts'
import { recordNote } from '#issues/issue-note.ts'
import { parseTimeAmount, writeTimeAmount } from '#issues/time-amount.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'

/** How the estimate or the time spent changes, with the system note; undefined when it stays. */
export type TimeChange = (issue: Issue) => string | undefined

export function trackTime(em: EntityManager, issue: Issue, change: TimeChange, by: Actor) {
  return em.transactional(async em => {
    await lockForChange(em, issue)
    const note = change(issue)

    if (note) recordNote(em, issue, by.user?.id ?? null, 'time', note)
  })
}

/** 0 removes the estimate. */
export function estimate(duration: string): TimeChange {
  const seconds = readAmount(duration)

  if (seconds < 0) throw invalid('must not be negative')

  return issue => {
    if (issue.timeEstimate === seconds) return undefined
    issue.timeEstimate = seconds

    return seconds === 0 ? 'removed time estimate' : `changed time estimate to ${writeTimeAmount(seconds)}`
  }
}

export function spend(duration: string, summary?: string): TimeChange {
  const seconds = readAmount(duration)

  if (seconds === 0) throw invalid('must not be 0')

  return issue => {
    const spent = issue.timeSpent + seconds

    if (spent < 0) throw invalid('exceeds the total time spent')
    if (spent > 2_147_483_647) throw invalid('is too long')
    issue.timeSpent = spent
    const what = summary?.trim() ? `: ${summary.trim()}` : ''

    return `${seconds > 0 ? 'added' : 'subtracted'} ${writeTimeAmount(seconds)} of time spent${what}`
  }
}

export const forgetSpent: TimeChange = issue => {
  if (issue.timeSpent === 0) return undefined
  issue.timeSpent = 0

  return 'removed time spent'
}

function readAmount(duration: string) {
  const seconds = parseTimeAmount(duration)

  if (seconds === undefined) throw invalid('is not a duration such as 1h 30m')

  return seconds
}

function invalid(reason: string) {
  return new ValidationFailed({ duration: [reason] })
}
