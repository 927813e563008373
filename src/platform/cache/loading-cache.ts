import { LRUCache } from 'lru-cache'
import type { Listener, ListeningCache } from '../database/listener.ts'
import { isUnavailable } from '../problems.ts'

export interface LoadingCacheOptions<Value> {
  /** The name in `invalidateCache`. */
  name: string
  max?: number
  /** A limit on the bytes of all values together. A larger value is cached alone. */
  size?: { maxBytes: number; of: (value: Value) => number }
  seconds?: number
  /** How long a missing key stays cached as missing. */
  absentSeconds?: number
}

interface Entry<Value> {
  value: Value
  expiresAt: number
}

/**
 * Caches rows of the database. `invalidateCache` in any process drops an entry here at once. Concurrent
 * reads of one key share one query. While the database is unreachable, expired entries are still served.
 */
export class LoadingCache<Value> implements ListeningCache {
  #ttlMs: number
  #present: LRUCache<string, Entry<Value>>
  // Separate, so that a flood of made-up keys evicts no valid entry.
  #absent: LRUCache<string, true>
  #loading = new Map<string, Promise<Value | undefined>>()
  #generation = 0
  readonly name: string
  hits = 0
  misses = 0

  constructor(listener: Listener, { name, max = 10_000, size, seconds = 60, absentSeconds = 10 }: LoadingCacheOptions<Value>) {
    this.name = name
    this.#ttlMs = 1000 * seconds
    listener.caches.add(this)
    this.#present = new LRUCache({
      max,
      ...(size && { maxSize: size.maxBytes, sizeCalculation: ({ value }: Entry<Value>) => Math.min(size.of(value), size.maxBytes) })
    })
    this.#absent = new LRUCache({ max, ttl: 1000 * absentSeconds })
    listener.on('changed', payload => {
      const [changed, key] = payload.split(' ')

      if (changed === name) this.invalidate(key)
    })
    listener.onLost(() => this.#expireAll())
  }

  get(key: string, load: (key: string) => Promise<Value | undefined>): Promise<Value | undefined> | Value | undefined {
    const entry = this.#present.get(key)

    if (entry && entry.expiresAt > Date.now()) {
      this.hits++

      return entry.value
    }
    if (this.#absent.has(key)) {
      this.hits++

      return undefined
    }
    this.misses++

    return this.#loading.get(key) ?? this.#load(key, load)
  }

  /** Drops one key and the keys that start with it and a space, or all. */
  invalidate(key?: string) {
    const isInvalid = (other: string) => !key || other === key || other.startsWith(`${key} `)

    this.#generation++
    this.#loading.clear()
    for (const entries of [this.#present, this.#absent]) for (const other of entries.keys()) if (isInvalid(other)) entries.delete(other)
  }

  /** Invalidations may have been missed: reload everything, but keep stale values in case the database is unreachable. */
  #expireAll() {
    this.#generation++
    for (const entry of this.#present.values()) entry.expiresAt = 0
    this.#absent.clear()
    this.#loading.clear()
  }

  #load(key: string, load: (key: string) => Promise<Value | undefined>) {
    const generation = this.#generation
    const loading = load(key)
      .then(value => {
        // A value read before an invalidation must not be cached after it.
        if (generation === this.#generation) this.#set(key, value)
        return value
      })
      .catch(error => {
        const stale = this.#present.get(key)

        if (stale && isUnavailable(error)) return stale.value
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
    else this.#present.set(key, { value, expiresAt: Date.now() + this.#ttlMs })
  }
}
