import type pg from 'pg'
import type { Listener } from '../database/listener.ts'
import { Cache, type CacheOptions } from './cache.ts'

/** A cache declared once, with the query that loads an entry. */
export interface CacheDefinition<Value> extends Omit<CacheOptions<Value>, 'load'> {
  load: (pool: pg.Pool, key: string) => Promise<Value | undefined>
}

/** The caches of a process; each is created on first use. */
export class Caches {
  #pool: pg.Pool
  #listener: Listener
  #caches = new Map<unknown, unknown>()

  constructor(pool: pg.Pool, listener: Listener) {
    this.#pool = pool
    this.#listener = listener
  }

  of<Value>(definition: CacheDefinition<Value>): Cache<Value> {
    return this.#once(definition, () => new Cache(this.#listener, { ...definition, load: key => definition.load(this.#pool, key) }))
  }

  /** The instance of a class that holds caches of its own. */
  instance<T>(type: new (listener: Listener) => T): T {
    return this.#once(type, () => new type(this.#listener))
  }

  #once<T>(key: unknown, create: () => T): T {
    if (!this.#caches.has(key)) this.#caches.set(key, create())

    return this.#caches.get(key) as T
  }
}
