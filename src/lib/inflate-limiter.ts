/** Too many large bodies wait to be inflated; the sender may retry later. */
export class InflateBusy extends Error {
  override name = 'InflateBusy'
  retryAfter = 10
}

/** Bodies inflated at a time: leaves two of libuv's four threads to everything else. */
const maxRunning = 2

/**
 * The process's limit on large bodies. Each that is inflated holds a few chunks, a window of its compression and what is
 * kept of it; concurrent ones would exhaust memory, each within its own limit.
 */
export class InflateLimiter {
  protected waiting: (() => void)[] = []
  protected waitingBytes = 0
  #running = 0

  /** Runs the task in turn. */
  async run<T>(compressedBytes: number, task: () => Promise<T>): Promise<T> {
    if (this.#running === maxRunning) await this.#wait(compressedBytes)
    else this.#running++

    try {
      return await task()
    } finally {
      const next = this.waiting.shift()

      // The next task takes over this one's place.
      if (next) next()
      else this.#running--
    }
  }

  async #wait(bytes: number) {
    this.waitingBytes += bytes
    await new Promise<void>(resolve => this.waiting.push(resolve))
    this.waitingBytes -= bytes
  }
}

const maxWaiting = 100
const maxWaitingBytes = 64 << 20

/** For intake, where clients wait for the response and can be told to send later. */
export class BoundedInflateLimiter extends InflateLimiter {
  /** Throws `InflateBusy` when too many wait. */
  override async run<T>(compressedBytes: number, task: () => Promise<T>): Promise<T> {
    const isFull = this.waiting.length >= maxWaiting || this.waitingBytes + compressedBytes > maxWaitingBytes

    if (isFull) throw new InflateBusy()

    return super.run(compressedBytes, task)
  }
}
