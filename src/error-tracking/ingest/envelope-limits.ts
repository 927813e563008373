import { TooLarge } from '../../lib/inflate.ts'
import type { EnvelopeItem } from '../parse/envelope.ts'

interface Limit {
  /** What the items are, in words. */
  what: string
  /** Bytes of one, and of all in an envelope. */
  each?: number
  all?: number
  count?: number
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

const sessions: Limit = { what: 'sessions', count: 100, all: 10 * mebibyte }

/** What one envelope may hold, by the types of its items; the same that SDKs know from elsewhere. */
const limits: Record<string, Limit> = {
  event: { what: 'an event', each: mebibyte },
  transaction: { what: 'a transaction', each: mebibyte },
  security: { what: 'a security report', each: mebibyte },
  raw_security: { what: 'a security report', each: mebibyte },
  feedback: { what: 'feedback', each: mebibyte },
  user_report: { what: 'feedback', each: mebibyte },
  attachment: { what: 'attachments', count: 30, each: 200 * mebibyte, all: 200 * mebibyte },
  session: sessions,
  sessions,
  client_report: { what: 'client reports', count: 100, all: 100 * kibibyte },
  check_in: { what: 'a check-in', each: 100 * kibibyte }
}

/** An event as such, without its attachments. */
export const largestEvent = limits.event!.each!

/** Throws for the first item that is more than its envelope may hold. */
export function checkLimits(items: EnvelopeItem[]) {
  const found = new Map<Limit, { count: number; bytes: number }>()

  for (const { type, payload } of items) {
    const limit = limits[type]

    if (!limit) continue
    const before = found.get(limit) ?? { count: 0, bytes: 0 }
    const now = { count: before.count + 1, bytes: before.bytes + payload.length }

    found.set(limit, now)
    check(limit, payload.length, now)
  }
}

function check({ what, each = Infinity, all = Infinity, count = Infinity }: Limit, bytes: number, sum: { count: number; bytes: number }) {
  if (bytes > each) throw new TooLarge(`The envelope is too large: ${what} may have ${each} bytes.`)
  if (sum.bytes > all) throw new TooLarge(`The envelope is too large: ${what} may have ${all} bytes together.`)
  if (sum.count > count) throw new TooLarge(`The envelope is too large: it may hold ${count} ${what}.`)
}
