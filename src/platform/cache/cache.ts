import type { Listener } from '../database/listener.ts'
import { withTimeLimit } from '../time-limit.ts'
import { LoadingCache, type LoadingCacheOptions } from './loading-cache.ts'

export interface CacheOptions<Value> extends LoadingCacheOptions<Value> {
  load: (key: string) => Promise<Value | undefined>
  /** How long to wait for the database before it counts as away. */
  withinMs?: number
}

/** A cache whose entries are all loaded in one way. */
export class Cache<Value> extends LoadingCache<Value> {
  #load: CacheOptions<Value>['load']

  constructor(listener: Listener, { load, withinMs, ...options }: CacheOptions<Value>) {
    super(listener, options)
    this.#load = withinMs ? key => withTimeLimit(withinMs, load(key)) : load
  }

  override get(key: string) {
    return super.get(key, this.#load)
  }
}
