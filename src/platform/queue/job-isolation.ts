/**
 * A job whose worker died runs alone: other jobs wait, so that a second death identifies the job. After `maxMs` the
 * others continue, because a job that runs that long does not block the event loop.
 */
export class JobIsolation {
  #isolated = 0
  #last = Promise.resolve()
  #maxMs: number

  constructor(maxMs = 10_000) {
    this.#maxMs = maxMs
  }

  async run<Result>(isIsolated: boolean, work: () => Promise<Result>): Promise<Result> {
    if (isIsolated) return this.#runAlone(work)
    while (this.#isolated > 0) await this.#last

    return work()
  }

  async #runAlone<Result>(work: () => Promise<Result>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const previous = this.#last

    this.#isolated++
    this.#last = promise.then(() => void this.#isolated--)
    await previous
    const timer = setTimeout(resolve, this.#maxMs).unref()

    return work().finally(() => {
      clearTimeout(timer)
      resolve()
    })
  }
}
