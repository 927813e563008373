import type { Cluster, Redis } from 'ioredis'

export interface Usage {
  observed: number
  resetMs: number
}

interface Window {
  endsAt: number
  /** What all processes had counted when they were last asked, ours included. */
  told: number
  /** What we have counted since. */
  own: number
}

const windowMs = 60_000
const everyMs = 250
/** Distinct keys held at most; whoever comes up with more begins anew. */
const most = 20_000

/**
 * Counts requests by the minute, here at once, and together with other processes a moment later: an answer need not wait
 * for Redis, nor its disk for every request. While Redis is away each process counts for itself.
 */
export class SharedCounts {
  #redis: Redis | Cluster
  #prefix: string
  #windows = new Map<string, Window>()
  #untold = new Set<string>()
  #timer?: NodeJS.Timeout

  constructor(redis: Redis | Cluster, prefix: string) {
    this.#redis = redis
    this.#prefix = prefix
  }

  count(key: string, now = Date.now()): Usage {
    let window = this.#windows.get(key)

    if (!window || window.endsAt <= now) {
      if (this.#windows.size >= most) this.#windows.clear()
      window = { endsAt: now + windowMs, told: 0, own: 0 }
      this.#windows.set(key, window)
    }
    window.own++
    this.#untold.add(key)
    this.#timer ??= setTimeout(() => void this.#tell(), everyMs).unref()

    return { observed: window.told + window.own, resetMs: window.endsAt - now }
  }

  close() {
    clearTimeout(this.#timer)
  }

  async #tell() {
    const keys = [...this.#untold]

    this.#untold.clear()
    // All of them, or one that is still on its way would be told twice.
    await Promise.allSettled(keys.map(key => this.#tellOne(key)))
    this.#timer = this.#untold.size > 0 ? setTimeout(() => void this.#tell(), everyMs).unref() : undefined
  }

  async #tellOne(key: string) {
    const window = this.#windows.get(key)
    const name = this.#prefix + key

    if (!window) return
    const { own } = window

    // The first of a minute says when it ends.
    const answers = await this.#redis.multi().set(name, 0, 'PX', windowMs, 'NX').incrby(name, own).pttl(name).exec()
    const [told, left] = (answers ?? []).slice(1).map(([, value]) => Number(value))

    if (!told || !left) return
    window.own -= own
    window.told = told
    window.endsAt = Date.now() + left
  }
}
