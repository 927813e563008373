import type { Listener } from '../database/listener.ts'
import { isAway } from '../problems.ts'

interface Entry<Value> {
  value: Value | undefined
  until: number
}

export interface CacheOptions<Value> {
  /** The word by which other processes say that something changed. */
  name: string
  load: (key: string) => Promise<Value | undefined>
  most?: number
  seconds?: number
  /** How long it is remembered, per key, that there is nothing. */
  absentSeconds?: number
}

/**
 * Remembers what the database said, for a while, up to so many entries. `pg_notify('…_changed', 'name key')`
 * from any process drops the entry at once; without a key, all of them.
 */
export class Cache<Value> {
  #options: Required<CacheOptions<Value>>
  #present = new Map<string, Entry<Value>>()
  // Kept apart, so that a flood of made-up keys cannot push out the good ones.
  #absent = new Map<string, Entry<Value>>()
  #loading = new Map<string, Promise<Value | undefined>>()
  #generation = 0

  constructor(listener: Listener, options: CacheOptions<Value>) {
    this.#options = { most: 10_000, seconds: 60, absentSeconds: 10, ...options }
    listener.on('changed', payload => {
      const [name, key] = payload.split(' ')

      if (name === options.name) this.forget(key)
    })
    listener.onLost(() => this.#doubt())
  }

  get(key: string): Promise<Value | undefined> | Value | undefined {
    const entry = this.#present.get(key) ?? this.#absent.get(key)

    if (entry && entry.until > Date.now()) return entry.value

    return this.#loading.get(key) ?? this.#load(key)
  }

  forget(key?: string) {
    this.#generation++
    for (const entries of [this.#present, this.#absent]) {
      if (key) entries.delete(key)
      else entries.clear()
    }
    this.#loading.clear()
  }

  /** Nothing could be heard: everything is asked for again, but what was known serves while there is no answer. */
  #doubt() {
    this.#generation++
    for (const entry of this.#present.values()) entry.until = 0
    this.#absent.clear()
    this.#loading.clear()
  }

  #load(key: string) {
    const generation = this.#generation
    const loading = this.#options
      .load(key)
      .catch(error => {
        const known = this.#present.get(key)

        // While the database is away nobody can have changed it either.
        if (known && isAway(error)) return known.value
        throw error
      })
      .then(value => {
        // An answer from before a change must not outlive it.
        if (generation === this.#generation) this.#remember(key, value)
        return value
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key)
      })

    this.#loading.set(key, loading)

    return loading
  }

  #remember(key: string, value: Value | undefined) {
    const { most, seconds, absentSeconds } = this.#options
    const until = Date.now() + 1000 * (value === undefined ? absentSeconds : seconds)

    const entries = value === undefined ? this.#absent : this.#present

    this.#present.delete(key)
    this.#absent.delete(key)
    entries.set(key, { value, until })
    if (entries.size > most) entries.delete(entries.keys().next().value!)
  }
}
