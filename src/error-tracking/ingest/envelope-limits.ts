import { TooLarge } from '../../lib/inflate.ts'
import type { EnvelopeItem } from '../parse/envelope.ts'

interface Limit {
  /** Plural noun for the error message. */
  what: string
  /** Bytes of one item, and of all in an envelope. */
  each?: number
  all?: number
  count?: number
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** An event costs the worker far more than its bytes: an envelope of thousands would keep other projects waiting. */
const events: Limit = { what: 'events', each: mebibyte, count: 100 }
const sessions: Limit = { what: 'sessions', count: 100, all: 10 * mebibyte }

/** What one envelope may hold, by item type. Types with the same limit share it. */
const limits: Record<string, Limit> = {
  event: events,
  transaction: events,
  security: events,
  raw_security: events,
  feedback: events,
  user_report: events,
  attachment: { what: 'attachments', count: 30, each: 200 * mebibyte, all: 200 * mebibyte },
  session: sessions,
  sessions,
  client_report: { what: 'client reports', count: 100, all: 100 * kibibyte },
  check_in: { what: 'check-ins', each: 100 * kibibyte }
}

/** An event as such, without its attachments. */
export const maxEventBytes = events.each!

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
  if (bytes > each) throw new TooLarge(`The envelope is too large: ${what} may have ${each} bytes each.`)
  if (sum.bytes > all) throw new TooLarge(`The envelope is too large: ${what} may have ${all} bytes together.`)
  if (sum.count > count) throw new TooLarge(`The envelope is too large: it may hold ${count} ${what}.`)
}
