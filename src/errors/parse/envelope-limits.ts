import { TooLarge } from '#lib/inflate.ts'

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

/** Limit for all other types together: each item costs memory, even an empty one. */
const otherItems: Limit = { noun: 'other items', maxCount: 1000 }

/** Excludes attachments. */
export const maxEventBytes = events.maxBytes!

/** Bytes that an item of a known type may have. */
export function maxItemBytes(type: string) {
  const { maxBytes = Infinity, maxTotalBytes = Infinity } = limits[type]!

  return Math.min(maxBytes, maxTotalBytes)
}

/** Counts the items of an envelope while it is read, and throws for the first that exceeds a limit. */
export class EnvelopeLimits {
  #totals = new Map<Limit, { count: number; bytes: number }>()
  #limit: Limit = otherItems
  #itemBytes = 0

  startItem(type: string) {
    this.#limit = Object.hasOwn(limits, type) ? limits[type]! : otherItems
    this.#itemBytes = 0
    const total = this.#totals.get(this.#limit) ?? { count: 0, bytes: 0 }

    total.count++
    this.#totals.set(this.#limit, total)
    check(this.#limit, 0, total)
  }

  addPayload(bytes: number) {
    const total = this.#totals.get(this.#limit)!

    this.#itemBytes += bytes
    total.bytes += bytes
    check(this.#limit, this.#itemBytes, total)
  }
}

function check(limit: Limit, bytes: number, total: { count: number; bytes: number }) {
  const { noun, maxBytes = Infinity, maxTotalBytes = Infinity, maxCount = Infinity } = limit

  if (bytes > maxBytes) throw new TooLarge(`The envelope is too large: ${noun} may have ${maxBytes} bytes each.`)
  if (total.bytes > maxTotalBytes) throw new TooLarge(`The envelope is too large: ${noun} may have ${maxTotalBytes} bytes together.`)
  if (total.count > maxCount) throw new TooLarge(`The envelope is too large: it may hold ${maxCount} ${noun}.`)
}
