import { LRUCache } from 'lru-cache'
import type { Listener } from '../database/listener.ts'
import { isAway } from '../problems.ts'

export interface CacheOptions<Value> {
  /** The name that an invalidation carries. */
  name: string
  load: (key: string) => Promise<Value | undefined>
  max?: number
  seconds?: number
  /** How long a missing key stays cached as missing. */
  absentSeconds?: number
}

/**
 * Caches rows of the database. `invalidateCache` in any process drops an entry here at once. Concurrent
 * reads of one key share one query. While the database is away, expired entries are still served.
 */
export class Cache<Value> {
  #options: CacheOptions<Value>
  #present: LRUCache<string, { value: Value; until: number }>
  // Separate, so that a flood of made-up keys evicts no valid entry.
  #absent: LRUCache<string, true>
  #loading = new Map<string, Promise<Value | undefined>>()
  #generation = 0

  constructor(listener: Listener, options: CacheOptions<Value>) {
    const { max = 10_000, absentSeconds = 10 } = options

    this.#options = options
    this.#present = new LRUCache({ max })
    this.#absent = new LRUCache({ max, ttl: 1000 * absentSeconds })
    listener.on('changed', payload => {
      const [name, key] = payload.split(' ')

      if (name === options.name) this.invalidate(key)
    })
    listener.onLost(() => this.#expireAll())
  }

  get(key: string): Promise<Value | undefined> | Value | undefined {
    const entry = this.#present.get(key)

    if (entry && entry.until > Date.now()) return entry.value
    if (this.#absent.has(key)) return undefined

    return this.#loading.get(key) ?? this.#load(key)
  }

  /** Drops one key, or all. */
  invalidate(key?: string) {
    this.#generation++
    for (const entries of [this.#present, this.#absent]) {
      if (key) entries.delete(key)
      else entries.clear()
    }
    this.#loading.clear()
  }

  /** Invalidations may have been missed: everything is loaded again, but kept for the case that the database is away. */
  #expireAll() {
    this.#generation++
    for (const entry of this.#present.values()) entry.until = 0
    this.#absent.clear()
    this.#loading.clear()
  }

  #load(key: string) {
    const generation = this.#generation
    const loading = this.#options
      .load(key)
      .then(value => {
        // A value read before an invalidation must not be cached after it.
        if (generation === this.#generation) this.#set(key, value)
        return value
      })
      .catch(error => {
        const stale = this.#present.get(key)

        if (stale && isAway(error)) return stale.value
        throw error
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key)
      })

    this.#loading.set(key, loading)

    return loading
  }

  #set(key: string, value: Value | undefined) {
    this.#present.delete(key)
    this.#absent.delete(key)
    if (value === undefined) this.#absent.set(key, true)
    else this.#present.set(key, { value, until: Date.now() + 1000 * (this.#options.seconds ?? 60) })
  }
}
