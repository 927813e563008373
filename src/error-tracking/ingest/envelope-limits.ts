import { TooLarge } from '../../lib/inflate.ts'
import type { EnvelopeItem } from '../parse/envelope.ts'

interface Limit {
  /** Plural noun for the error message. */
  noun: string
  maxBytes?: number
  maxTotalBytes?: number
  maxCount?: number
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** An event costs the worker far more than its bytes: an envelope of thousands would delay other projects. */
const events: Limit = { noun: 'events', maxBytes: mebibyte, maxCount: 100 }
const sessions: Limit = { noun: 'sessions', maxCount: 100, maxTotalBytes: 10 * mebibyte }

/** The limits of one envelope by item type. Types with the same object share its limits. */
const limits: Record<string, Limit> = {
  event: events,
  transaction: events,
  security: events,
  raw_security: events,
  feedback: events,
  user_report: events,
  attachment: { noun: 'attachments', maxCount: 30, maxBytes: 200 * mebibyte, maxTotalBytes: 200 * mebibyte },
  session: sessions,
  sessions,
  client_report: { noun: 'client reports', maxCount: 100, maxTotalBytes: 100 * kibibyte },
  check_in: { noun: 'check-ins', maxBytes: 100 * kibibyte }
}

/** Excludes attachments. */
export const maxEventBytes = events.maxBytes!

/** Throws for the first item that exceeds a limit. */
export function checkLimits(items: EnvelopeItem[]) {
  const totals = new Map<Limit, { count: number; bytes: number }>()

  for (const { type, payload } of items) {
    const limit = Object.hasOwn(limits, type) ? limits[type] : undefined

    if (!limit) continue
    const { count, bytes } = totals.get(limit) ?? { count: 0, bytes: 0 }
    const total = { count: count + 1, bytes: bytes + payload.length }

    totals.set(limit, total)
    check(limit, payload.length, total)
  }
}

function check(limit: Limit, bytes: number, total: { count: number; bytes: number }) {
  const { noun, maxBytes = Infinity, maxTotalBytes = Infinity, maxCount = Infinity } = limit

  if (bytes > maxBytes) throw new TooLarge(`The envelope is too large: ${noun} may have ${maxBytes} bytes each.`)
  if (total.bytes > maxTotalBytes) throw new TooLarge(`The envelope is too large: ${noun} may have ${maxTotalBytes} bytes together.`)
  if (total.count > maxCount) throw new TooLarge(`The envelope is too large: it may hold ${maxCount} ${noun}.`)
}
