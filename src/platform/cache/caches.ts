import type pg from 'pg'
import type { Listener } from '../database/listener.ts'

/** The objects of a process that cache data; each is created on first use. */
export class Caches {
  #pool: pg.Pool
  #listener: Listener
  #instances = new Map<unknown, unknown>()

  constructor(pool: pg.Pool, listener: Listener) {
    this.#pool = pool
    this.#listener = listener
  }

  instance<T>(type: new (listener: Listener, pool: pg.Pool) => T): T {
    if (!this.#instances.has(type)) this.#instances.set(type, new type(this.#listener, this.#pool))

    return this.#instances.get(type) as T
  }
}
