import type { ErrorGroup } from '../groups/error-group.ts'
import { maxFutureMs, maxPastMs } from '../normalise/time.ts'

const day = 24 * 60 * 60 * 1000

/** Days of receipt to search for a page of events. */
interface DayRange {
  from?: string
  to?: string
  /** Whether other days cannot add events to the page, given its last event (undefined if the page is not full). */
  isComplete: (last: Date | undefined) => boolean
}

interface Page {
  isAscending: boolean
  after?: [occurredAt: string, eventId: string]
  limit: number
}

/**
 * Events are partitioned by day of receipt but sorted by time of occurrence, which differs by a bounded time. So a page is
 * first searched in the days around its start, then in all. The first range is twice as long as the page would need if events
 * were spread evenly.
 */
export function* dayRanges({ firstSeenAt, lastSeenAt, events }: ErrorGroup, { isAscending, after, limit }: Page): Generator<DayRange> {
  const start = after ? new Date(after[0]) : isAscending ? firstSeenAt : lastSeenAt
  const lifetime = (lastSeenAt.getTime() - firstSeenAt.getTime()) / day
  // A new group of an unmerge has no events yet.
  const span = Math.ceil((2 * limit * lifetime) / Math.max(events, 1)) + 1

  if (span + (isAscending ? maxPastMs / day : 0) < lifetime) yield isAscending ? daysAfter(start, span) : daysBefore(start, span)
  yield { ...(isAscending && { from: firstDay(start) }), isComplete: () => true }
}

function daysBefore(start: Date, span: number): DayRange {
  const from = dayOf(start.getTime() - span * day)
  const latestOutside = Date.parse(from) + maxFutureMs

  return { from, isComplete: last => last !== undefined && last.getTime() > latestOutside }
}

function daysAfter(start: Date, span: number): DayRange {
  const to = dayOf(start.getTime() + span * day + maxPastMs)
  const earliestOutside = Date.parse(to) + day - maxPastMs

  return { from: firstDay(start), to, isComplete: last => last !== undefined && last.getTime() < earliestOutside }
}

/** The first day of receipt that events from `start` on can have. */
function firstDay(start: Date) {
  return dayOf(start.getTime() - maxFutureMs)
}

function dayOf(time: number) {
  return new Date(time).toISOString().slice(0, 10)
}
