import type pg from 'pg'
import type { Listener } from '../database/listener.ts'
import { Cache, type CacheOptions } from './cache.ts'

/** Something worth remembering, declared once, and how the database is asked for it. */
export interface Memory<Value> extends Omit<CacheOptions<Value>, 'load'> {
  load: (pool: pg.Pool, key: string) => Promise<Value | undefined>
}

/** What a process remembers, each kind in a cache that is made when it is first asked for. */
export class Caches {
  #pool: pg.Pool
  #listener: Listener
  #made = new Map<unknown, unknown>()

  constructor(pool: pg.Pool, listener: Listener) {
    this.#pool = pool
    this.#listener = listener
  }

  of<Value>(memory: Memory<Value>): Cache<Value> {
    let cache = this.#made.get(memory) as Cache<Value> | undefined

    if (!cache) {
      cache = new Cache(this.#listener, { ...memory, load: key => memory.load(this.#pool, key) })
      this.#made.set(memory, cache)
    }

    return cache
  }
}
