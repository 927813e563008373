import { setTimeout as sleep } from 'node:timers/promises'
import { QueueUnavailable } from '../problems.ts'
import type { Queue } from './backends/backend.ts'

/** Bounds memory while the queue does not answer. */
const maxPendingAdds = 256

const probeMs = 500
const maxProbes = 60

/**
 * Limits how long producers wait for the queue. After a timeout, it fails fast until the queue answers a probe. Probes
 * carry no work: an abandoned job may be stored later.
 */
export class CircuitBreaker {
  #timeoutMs: number
  #isOpen = false
  #isClosed = false
  #pendingAdds = 0

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  get isRefusing() {
    return this.#isOpen || this.#pendingAdds >= maxPendingAdds
  }

  /** Ends all probes. */
  close() {
    this.#isClosed = true
  }

  /** Throws when the job is not durable in time. It may still be stored later; `isStored` of the error resolves to the answer. */
  async untilAdded(queue: Queue, id: string, added: Promise<unknown>) {
    const settled = added
      .then(
        () => 'added' as const,
        (error: Error) => error
      )
      .finally(() => {
        this.#pendingAdds--
        this.#isOpen = false
      })

    this.#pendingAdds++
    const outcome = await orTimeout(settled, this.#timeoutMs)

    if (outcome === 'added') return
    if (outcome) throw new QueueUnavailable(outcome, this.#find(queue, id))
    void this.#open(queue)
    throw new QueueUnavailable(
      new Error(`no answer within ${this.#timeoutMs} ms`),
      settled.then(outcome => outcome === 'added' || this.#find(queue, id))
    )
  }

  async #open(queue: Queue) {
    if (this.#isOpen) return
    this.#isOpen = true
    while (this.#isOpen && !this.#isClosed) {
      const isAnswered = await queue.getJobCountByTypes('active').then(
        () => true,
        () => false
      )

      if (isAnswered) this.#isOpen = false
      else await sleep(probeMs, undefined, { ref: false })
    }
  }

  /** Whether a job is in the queue although its reply was lost. */
  async #find(queue: Queue, id: string) {
    for (let attempt = 0; attempt < maxProbes && !this.#isClosed; attempt++) {
      try {
        return (await queue.getJob(id)) !== undefined
      } catch {
        await sleep(probeMs, undefined, { ref: false })
      }
    }

    return false
  }
}

async function orTimeout<T>(promise: Promise<T>, ms: number) {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })

  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
