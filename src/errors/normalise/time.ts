import { parseTime } from '#lib/time.ts'

const minuteMs = 60_000
/** Timestamps further from the time of receipt are replaced by it. */
export const maxPastMs = 30 * 24 * 60 * minuteMs
export const maxFutureMs = 5 * minuteMs

/**
 * When an event happened. A wrong clock (`sent_at` is more than a minute away from the time of receipt) is corrected by
 * its drift. A time in the future or too long ago is replaced by the time of receipt.
 */
export function eventTime(timestamp: unknown, receivedAt: Date, sentAt?: unknown) {
  const claimed = parseTime(timestamp)
  const sent = sentAt === undefined ? Number.NaN : parseTime(sentAt)
  const drift = receivedAt.getTime() - sent
  const time = Math.abs(drift) > minuteMs ? claimed + drift : claimed
  const ahead = time - receivedAt.getTime()

  return ahead <= maxFutureMs && ahead >= -maxPastMs ? new Date(time) : receivedAt
}
