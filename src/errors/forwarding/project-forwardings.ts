import type pg from 'pg'
import { Cache } from '#platform/cache/cache.ts'
import type { Listener } from '#platform/database/listener.ts'
import { isForwarding } from './forwarding-store.ts'

/** The name in `invalidateCache`. */
export const forwardingCache = 'forwarding'

/** Which projects send on what they receive. */
export class ProjectForwardings {
  #cache: Cache<'on' | 'off'>

  constructor(listener: Listener, pool: pg.Pool) {
    this.#cache = new Cache(listener, {
      name: forwardingCache,
      max: 1000,
      load: async projectId => ((await isForwarding(pool, projectId)) ? 'on' : 'off')
    })
  }

  async has(projectId: number) {
    return (await this.#cache.get(String(projectId))) === 'on'
  }
}
