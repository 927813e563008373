import { hash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { QueueUnavailable } from '../problems.ts'

const retriedWithinMs = 10 * 60_000

/**
 * The ids of requests that were refused although their items may be in the queue. A retry with the same body gets the
 * id of its first attempt, so the worker counts it once. Retries that reach another web process are not recognised.
 */
export class AbandonedRequests {
  #ids = new LRUCache<string, string>({ max: 10_000, ttl: retriedWithinMs })

  /** Calls `send` with the id of the request. */
  async track<T>(sender: number | string, body: Buffer | string | undefined, send: (id: string) => Promise<T>) {
    const key = this.#ids.size > 0 ? keyOf(sender, body) : undefined
    const id = (key && this.#ids.get(key)) ?? randomUUID().replaceAll('-', '')

    try {
      const result = await send(id)

      if (key) this.#ids.delete(key)

      return result
    } catch (error) {
      if (error instanceof QueueUnavailable && error.isStored) this.#ids.set(keyOf(sender, body), id)
      throw error
    }
  }
}

function keyOf(sender: number | string, body: Buffer | string | undefined) {
  return `${sender} ${hash('sha256', body ?? '')}`
}
