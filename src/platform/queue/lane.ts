import type { BatchLimits } from './batcher.ts'

interface Waiting {
  item: unknown
  resolve: (receipt: unknown) => void
  reject: (error: unknown) => void
}

export interface Sent {
  receipt?: Promise<unknown[] | undefined>
}

/**
 * Where senders wait for the workers, so many batches keep these busy. Items that arrive meanwhile fill one batch rather
 * than many small ones, which cost as much each; but no longer than this, as no worker may be running.
 */
const mostUnanswered = 2
const longestFillingMs = 50

/** Batches of one contract for one queue: one fills while another is enqueued. */
export class Lane {
  #limits: BatchLimits
  #send: (items: unknown[]) => Promise<Sent>
  #onIdle: () => void
  #filling: Waiting[] = []
  #fillingBytes = 0
  #fillingWeight = 0
  #full: Waiting[][] = []
  #isSending = false
  #unanswered = 0
  #isOverdue = false
  #timer?: NodeJS.Timeout

  constructor(limits: BatchLimits, send: (items: unknown[]) => Promise<Sent>, onIdle = () => {}) {
    this.#limits = limits
    this.#send = send
    this.#onIdle = onIdle
  }

  add(item: unknown, bytes: number, weight = 1) {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#filling.length > 0 && this.#isOver(bytes, weight)) this.#close()

      this.#filling.push({ item, resolve, reject })
      this.#fillingBytes += bytes
      this.#fillingWeight += weight
      if (this.#isOver(1, 1)) this.#close()
      else this.#timer ??= setTimeout(() => this.#timeIsUp(), this.#limits.ms)
    })
  }

  #isOver(bytes: number, weight: number) {
    return this.#fillingBytes + bytes > this.#limits.bytes || this.#fillingWeight + weight > this.#limits.items
  }

  // A batch that cannot leave yet goes on filling.
  #timeIsUp() {
    this.#timer = undefined
    if (this.#mayLeave()) this.#close()
    else if (this.#unanswered >= mostUnanswered) this.#timer = setTimeout(() => this.#isDue(), longestFillingMs)
  }

  #isDue() {
    this.#timer = undefined
    this.#isOverdue = true
    if (this.#mayLeave()) this.#close()
  }

  #mayLeave() {
    return !this.#isSending && (this.#unanswered < mostUnanswered || this.#isOverdue)
  }

  #close() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isOverdue = false
    this.#full.push(this.#filling)
    this.#filling = []
    this.#fillingBytes = 0
    this.#fillingWeight = 0
    if (!this.#isSending) void this.#sendAll()
  }

  async #sendAll() {
    this.#isSending = true
    for (let batch = this.#full.shift(); batch; batch = this.#full.shift()) await this.#sendOne(batch)
    this.#isSending = false
    if (this.#filling.length > 0 && !this.#timer) this.#timeIsUp()
    this.#checkIdle()
  }

  async #sendOne(batch: Waiting[]) {
    try {
      const { receipt } = await this.#send(batch.map(({ item }) => item))

      if (receipt) void this.#await(receipt, batch)
      else answer(batch, undefined)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async #await(receipt: Promise<unknown[] | undefined>, batch: Waiting[]) {
    this.#unanswered++
    answer(batch, await receipt)
    this.#unanswered--
    if (this.#filling.length > 0 && this.#mayLeave()) this.#close()
    this.#checkIdle()
  }

  #checkIdle() {
    if (!this.#isSending && this.#filling.length === 0 && this.#unanswered === 0) this.#onIdle()
  }
}

function answer(batch: Waiting[], results: unknown[] | undefined) {
  for (const [n, { resolve }] of batch.entries()) resolve(results?.[n])
}
