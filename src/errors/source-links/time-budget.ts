import { withTimeLimit } from '#platform/time-limit.ts'

/** A time for several steps together. What takes longer or fails has no result. */
export class TimeBudget {
  #endsAt: number
  #onFailure: (error: unknown) => void

  constructor(ms: number, onFailure: (error: unknown) => void) {
    this.#endsAt = performance.now() + ms
    this.#onFailure = onFailure
  }

  async spend<T>(work: () => Promise<T>) {
    const left = this.#endsAt - performance.now()

    if (left <= 0) return undefined
    try {
      return await withTimeLimit(left, work())
    } catch (error) {
      this.#onFailure(error)
      return undefined
    }
  }
}
