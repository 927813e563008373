import type { Listener } from '../database/listener.ts'
import { LoadingCache, type LoadingCacheOptions } from './loading-cache.ts'

export interface CacheOptions<Value> extends LoadingCacheOptions<Value> {
  load: (key: string) => Promise<Value | undefined>
}

/** A cache whose entries are all loaded in one way. */
export class Cache<Value> extends LoadingCache<Value> {
  #load: CacheOptions<Value>['load']

  constructor(listener: Listener, { load, ...options }: CacheOptions<Value>) {
    super(listener, options)
    this.#load = load
  }

  override get(key: string) {
    return super.get(key, this.#load)
  }
}
