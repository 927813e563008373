import { parseTime } from '../../lib/time.ts'

const minute = 60_000
/** An event cannot have happened longer before it came in, in ms; nor longer after. */
export const maxPast = 30 * 24 * 60 * minute
export const maxFuture = 5 * minute

/**
 * When an event happened. A sender whose clock is wrong (its time of sending is far from that of receipt) is corrected
 * by the difference; what even then lies in the future or long ago cannot be, and the time of receipt counts.
 */
export function eventTime(given: unknown, receivedAt: Date, sentAt?: unknown) {
  const claimed = parseTime(given)
  const sent = sentAt === undefined ? Number.NaN : parseTime(sentAt)
  const drift = receivedAt.getTime() - sent
  const time = Math.abs(drift) > minute ? claimed + drift : claimed
  const ahead = time - receivedAt.getTime()

  return ahead <= maxFuture && ahead >= -maxPast ? new Date(time) : receivedAt
}
