import type pg from 'pg'
import type { Logger } from 'pino'
import type { CachedKey } from './authenticate-key.ts'
import { addDroppedCounts, addUsage, type DroppedCount } from './ingest-counter-store.ts'

const flushMs = 1000

interface Usage {
  minute: number
  /** Counted here since the last flush. */
  unflushed: number
  /** The total of all web processes at the last flush. */
  flushed: number
}

/** Counts dropped items and quota usage in memory and flushes them once a second: a flood of requests must not become a flood of writes. */
export class IngestCounters {
  #pool: pg.Pool
  #log: Logger
  #onDropped: (reason: string) => void
  #dropped = new Map<string, DroppedCount>()
  #usage = new Map<string, Usage>()
  #timer?: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(pool: pg.Pool, log: Logger, onDropped: (reason: string) => void) {
    this.#pool = pool
    this.#log = log
    this.#onDropped = onDropped
  }

  countDropped({ projectId, id: keyId }: CachedKey, category: string, reason: string) {
    this.#addDropped({ projectId, keyId, day: new Date().toISOString().slice(0, 10), category, reason, items: 1 })
    this.#onDropped(reason)
    this.#scheduleFlush()
  }

  countUsage(subject: string, events: number) {
    this.#usageOf(subject).unflushed += events
    this.#scheduleFlush()
  }

  /** Undoes `countUsage`, unless its minute is over. */
  refundUsage(subject: string, events: number, countedAt: number) {
    const usage = this.#usage.get(subject)

    if (usage?.minute === minuteOf(countedAt)) usage.unflushed -= events
  }

  /** Events of this minute in all web processes; those of other processes arrive a second later. */
  usage(subject: string) {
    const { unflushed, flushed } = this.#usageOf(subject)

    return unflushed + flushed
  }

  async close() {
    clearTimeout(this.#timer)
    await this.flush()
  }

  flush() {
    this.#flushing = this.#flushing
      .then(() => this.#flush())
      .catch(error => this.#log.warn({ err: error }, 'failed to flush ingest counters'))

    return this.#flushing
  }

  #addDropped({ items, ...dropped }: DroppedCount) {
    const key = Object.values(dropped).join(' ')
    const previous = this.#dropped.get(key)

    this.#dropped.set(key, { ...dropped, items: items + (previous?.items ?? 0) })
  }

  #usageOf(subject: string) {
    const minute = minuteOf(Date.now())
    let usage = this.#usage.get(subject)

    if (usage?.minute !== minute) {
      usage = { minute, unflushed: 0, flushed: 0 }
      this.#usage.set(subject, usage)
    }

    return usage
  }

  #scheduleFlush() {
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  async #flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#flushDropped()
    await this.#flushUsage()
  }

  async #flushDropped() {
    const dropped = [...this.#dropped.values()]

    this.#dropped.clear()
    try {
      await addDroppedCounts(this.#pool, dropped)
    } catch (error) {
      // Retried with the next flush.
      for (const count of dropped) this.#addDropped(count)
      throw error
    }
  }

  async #flushUsage() {
    this.#deletePastMinutes()
    const used = [...this.#usage].flatMap(([subject, { minute, unflushed }]) =>
      unflushed === 0 ? [] : [{ subject, minute, events: unflushed }]
    )

    for (const { subject, minute, events, total } of await addUsage(this.#pool, used)) {
      const usage = this.#usage.get(subject)

      if (usage?.minute !== minute) continue
      usage.unflushed -= events
      usage.flushed = total
    }
  }

  #deletePastMinutes() {
    const minute = minuteOf(Date.now())

    for (const [subject, usage] of this.#usage) if (usage.minute < minute) this.#usage.delete(subject)
  }
}

function minuteOf(time: number) {
  return Math.floor(time / 60_000)
}
