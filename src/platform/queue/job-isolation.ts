/**
 * A job whose worker died is a suspect. Suspects run one at a time and other jobs wait for them, so that a worker that
 * dies again names its culprit. A suspect that runs for long holds nobody up: it lets the loop go on.
 */
export class JobIsolation {
  #suspects = 0
  #last = Promise.resolve()
  #longestMs: number

  constructor(longestMs = 10_000) {
    this.#longestMs = longestMs
  }

  async run<Result>(isSuspect: boolean, work: () => Promise<Result>): Promise<Result> {
    if (isSuspect) return this.#runAlone(work)
    while (this.#suspects > 0) await this.#last

    return work()
  }

  async #runAlone<Result>(work: () => Promise<Result>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const previous = this.#last

    this.#suspects++
    this.#last = promise.then(() => void this.#suspects--)
    await previous
    const timer = setTimeout(resolve, this.#longestMs).unref()

    return work().finally(() => {
      clearTimeout(timer)
      resolve()
    })
  }
}
