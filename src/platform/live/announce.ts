import type pg from 'pg'
import { type EntityManager, query } from '../database/database.ts'
import type { Listener } from '../database/listener.ts'

/** A thing that changed, such as `alerts` of a project, and the number in the address of its page. */
export interface Change {
  kind: string
  projectId: number
  id: number
}

/** More are announced as the whole project: a notification has at most 8,000 bytes, and pages that show one of many are few. */
const maxIds = 100
const statement = `SELECT pg_notify(current_schema() || '_live', topic) FROM unnest($1::text[]) AS topic`

/** Tells open pages what changed, once the caller's transaction commits. */
export async function announce(em: EntityManager, changes: Change[]) {
  if (changes.length > 0) await query(em, statement, [notificationsOf(changes)])
}

/** One for each project and kind: `alerts:17:33,34`. */
export function notificationsOf(changes: Change[]) {
  const byTopic = Map.groupBy(changes, ({ kind, projectId }) => `${kind}:${projectId}`)

  return [...byTopic].map(([topic, changes]) => {
    const ids = new Set(changes.map(({ id }) => id))

    return ids.size > maxIds ? topic : `${topic}:${[...ids].join()}`
  })
}

const pauseMs = 1000

/**
 * Announces what a hot path committed, outside of its transactions: a commit with a notification takes a lock of the whole database.
 * The first change is announced at once, later ones together, once a second. One that is lost only costs time: pages poll, too.
 */
export class Announcer {
  #pool: pg.Pool
  #pending = new Map<string, Change>()
  #isPausing = false

  constructor(_listener: Listener, pool: pg.Pool) {
    this.#pool = pool
  }

  add(changes: Change[]) {
    for (const change of changes) this.#pending.set(`${change.kind} ${change.projectId} ${change.id}`, change)
    if (!this.#isPausing) this.#send()
  }

  #send() {
    this.#isPausing = this.#pending.size > 0
    if (!this.#isPausing) return
    const changes = [...this.#pending.values()]

    this.#pending.clear()
    this.#pool.query(statement, [notificationsOf(changes)]).catch(() => {})
    setTimeout(() => this.#send(), pauseMs).unref()
  }
}
