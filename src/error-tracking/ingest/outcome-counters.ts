import type pg from 'pg'
import type { Logger } from 'pino'

const everyMs = 1000
/** Distinct entries held at most; beyond that they are written at once. */
const most = 5000

/**
 * What the door turns away and what each key has used, added up here and written once a second,
 * so that a flood of requests does not become a flood of writes.
 */
export class Ledger {
  #pool: pg.Pool
  #log: Logger
  #drops = new Map<string, { projectId: number; day: string; category: string; reason: string; items: number }>()
  #usage = new Map<string, { minute: number; own: number; shared: number }>()
  #timer?: NodeJS.Timeout
  #writing: Promise<void> = Promise.resolve()

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  /** Counts what was refused, or taken and not kept. */
  drop(projectId: number, category: string, reason: string) {
    const day = new Date().toISOString().slice(0, 10)
    const key = `${projectId} ${day} ${category} ${reason}`
    const entry = this.#drops.get(key) ?? { projectId, day, category, reason, items: 0 }

    entry.items++
    this.#drops.set(key, entry)
    this.#writeSoon(this.#drops.size >= most)
  }

  /** Counts events towards a quota. */
  use(subject: string, events: number, now = Date.now()) {
    const usage = this.#of(subject, now)

    usage.own += events
    this.#writeSoon(this.#usage.size >= most)
  }

  /** Undoes `use`, unless its minute is over. */
  giveBack(subject: string, events: number, usedAt: number) {
    const usage = this.#usage.get(subject)

    if (usage?.minute === minuteOf(usedAt)) usage.own -= events
  }

  /** What all web processes together have counted in this minute, as far as it is known here. */
  used(subject: string, now = Date.now()) {
    const { own, shared } = this.#of(subject, now)

    return own + shared
  }

  /** The seconds until a quota has room again; undefined while there is room. Other web processes' use is known a second later. */
  waitFor(subject: string, perMinute: number, events = 1, now = Date.now()) {
    return this.used(subject, now) + events > perMinute ? Math.ceil(60 - ((now / 1000) % 60)) : undefined
  }

  async close() {
    clearTimeout(this.#timer)
    await this.write()
  }

  write() {
    this.#writing = this.#writing
      .then(() => this.#write())
      .catch(error => this.#log.warn({ err: error }, 'what the door counts could not be written'))

    return this.#writing
  }

  #of(subject: string, now: number) {
    const minute = minuteOf(now)
    let usage = this.#usage.get(subject)

    if (usage?.minute !== minute) {
      usage = { minute, own: 0, shared: 0 }
      this.#usage.set(subject, usage)
    }

    return usage
  }

  #writeSoon(isFull: boolean) {
    if (isFull) void this.write()
    else this.#timer ??= setTimeout(() => void this.write(), everyMs).unref()
  }

  async #write() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writeDrops()
    await this.#writeUsage()
  }

  async #writeDrops() {
    const drops = [...this.#drops.entries()]

    if (drops.length === 0) return
    this.#drops.clear()
    try {
      await this.#pool.query(
        `INSERT INTO error_drops (project_id, day, category, reason, items)
         SELECT * FROM unnest($1::bigint[], $2::date[], $3::text[], $4::text[], $5::bigint[]) ORDER BY 1, 2, 3, 4
         ON CONFLICT (project_id, day, category, reason) DO UPDATE SET items = error_drops.items + EXCLUDED.items`,
        columns(
          drops.map(([, drop]) => drop),
          'projectId',
          'day',
          'category',
          'reason',
          'items'
        )
      )
    } catch (error) {
      // Counted again with the next ones.
      for (const [key, drop] of drops) {
        const since = this.#drops.get(key)
        this.#drops.set(key, { ...drop, items: drop.items + (since?.items ?? 0) })
      }
      throw error
    }
  }

  async #writeUsage() {
    this.#forgetPast()
    const used = [...this.#usage].map(([subject, usage]) => ({ subject, ...usage })).filter(({ own }) => own !== 0)

    if (used.length === 0) return
    const { rows } = await this.#pool.query(
      `INSERT INTO error_usage (subject, minute, events)
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) ORDER BY 1, 2
       ON CONFLICT (subject, minute) DO UPDATE SET events = error_usage.events + EXCLUDED.events
       RETURNING subject, minute, events`,
      columns(used, 'subject', 'minute', 'own')
    )
    const totals = new Map(rows.map(row => [`${row.subject} ${row.minute}`, Number(row.events)]))

    for (const { subject, minute, own } of used) {
      const usage = this.#usage.get(subject)

      if (usage?.minute !== minute) continue
      usage.own -= own
      usage.shared = totals.get(`${subject} ${minute}`) ?? usage.shared
    }
  }

  /** A minute that is over limits nothing any more. */
  #forgetPast() {
    const minute = minuteOf(Date.now())

    for (const [subject, usage] of this.#usage) if (usage.minute < minute) this.#usage.delete(subject)
  }
}

function minuteOf(now: number) {
  return Math.floor(now / 60_000)
}

function columns<Row>(rows: Row[], ...names: (keyof Row)[]) {
  return names.map(name => rows.map(row => row[name]))
}
