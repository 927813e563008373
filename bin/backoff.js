const firstMs = 200
const longestMs = 30_000
const stableMs = 60_000

/** Exponential backoff between restarts, reset once a process has run for a minute. */
export class Backoff {
  #next = firstMs
  #startedAt = Number.POSITIVE_INFINITY

  constructor(now = Date.now) {
    this.now = now
  }

  started() {
    this.#startedAt = this.now()
  }

  /** The process works: the next restart is as quick as the first. */
  reset() {
    this.#next = firstMs
  }

  /** How long to wait before the next restart, in ms. */
  next() {
    if (this.now() - this.#startedAt > stableMs) this.#next = firstMs
    const delay = this.#next

    this.#startedAt = Number.POSITIVE_INFINITY
    this.#next = Math.min(delay * 2, longestMs)

    return delay
  }
}
