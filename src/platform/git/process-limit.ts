/** Too many processes wait already; the sender may retry later. */
export class TooManyProcesses extends Error {
  override name = 'TooManyProcesses'
  code = 'too_many_processes'
  retryAfter = 5
}

/** Bounds how many processes run at once, and how many wait for their turn. */
export class ProcessLimit {
  #free: number
  #maxWaiting: number
  #waiting: (() => void)[] = []

  constructor(max: number, maxWaiting = max * 10) {
    this.#free = max
    this.#maxWaiting = maxWaiting
  }

  get waiting() {
    return this.#waiting.length
  }

  /** Resolves when there is room, with a function that makes room again. Call it once. */
  async acquire() {
    if (this.#free > 0) this.#free--
    else await this.#wait()

    return () => this.#release()
  }

  async use<T>(run: () => Promise<T>) {
    const release = await this.acquire()

    try {
      return await run()
    } finally {
      release()
    }
  }

  #wait() {
    if (this.#waiting.length >= this.#maxWaiting) throw new TooManyProcesses('Too many git processes are waiting.')

    return new Promise<void>(resolve => this.#waiting.push(resolve))
  }

  #release() {
    const next = this.#waiting.shift()

    if (next) next()
    else this.#free++
  }
}
