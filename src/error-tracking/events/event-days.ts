import { maxFutureMs, maxPastMs } from '../normalise/time.ts'

const day = 24 * 60 * 60 * 1000

/** The days of arrival that a page of events is looked for in. */
export interface Days {
  from?: string
  to?: string
  /** Whether no other day can have what belongs before the last event of a full page, or into one that is not full. */
  isEnough: (last: Date | undefined) => boolean
}

/**
 * Events lie by the day they came in, and are read by the time they happened, which is never far ahead of that nor long
 * before. A page that begins at `start` is looked for within so many days of it first, where these are not all there are.
 */
export function* daysToSearch(start: Date, isAscending: boolean, span: number, lifetime: number): Generator<Days> {
  const near = isAscending ? daysAfter(start, span) : daysBefore(start, span)

  if (span + (isAscending ? maxPastMs / day : 0) < lifetime) yield near
  yield { ...(isAscending && { from: near.from }), isEnough: () => true }
}

function daysBefore(start: Date, span: number): Days {
  const from = dayOf(start.getTime() - span * day)
  const outside = Date.parse(from) + maxFutureMs

  return { from, isEnough: last => last !== undefined && last.getTime() > outside }
}

function daysAfter(start: Date, span: number): Days {
  const to = dayOf(start.getTime() + span * day + maxPastMs)
  const outside = Date.parse(to) + day - maxPastMs

  return { from: firstDay(start), to, isEnough: last => last !== undefined && last.getTime() < outside }
}

/** What happened from then on came in on this day or later. */
function firstDay(start: Date) {
  return dayOf(start.getTime() - maxFutureMs)
}

function dayOf(time: number) {
  return new Date(time).toISOString().slice(0, 10)
}
