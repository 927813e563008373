import type { BatchLimits } from './batcher.ts'

interface Waiting {
  item: unknown
  bytes: number
  resolve: (receipt: unknown) => void
  reject: (error: unknown) => void
}

export interface Sent {
  receipt?: Promise<unknown[] | undefined>
}

/** How many batches of one queue may be on their way at a time; the rest fill up meanwhile. */
const mostUnderWay = 2

/**
 * Where senders wait for the workers, so many batches keep these busy. What comes meanwhile had better fill one than
 * make many small ones, which cost as much each; but no longer than this, as nobody may be at work.
 */
const mostUnanswered = 2
const longestFillingMs = 50

/**
 * A job costs the queue, the worker and the database milliseconds between them, even for a single request. Where requests
 * trickle in, those of a beat share one. None waits where no other is to be expected: the first after a rest, senders who
 * are all waiting already, and so many that a job is worth it.
 */
const beatMs = 20
const mostExpected = 4
const memoryMs = 1000

/** The way of one contract into one queue: a batch that fills, and those that are on their way. */
export class Lane {
  #limits: BatchLimits
  #most: number
  #send: (items: unknown[]) => Promise<Sent>
  #filling: Waiting[] = []
  #fillingBytes = 0
  #full: Waiting[][] = []
  #underWay = 0
  #unanswered = 0
  #isOverdue = false
  #timer?: NodeJS.Timeout
  #isInBeat = false
  #beatEndsAt = 0
  #company = new Company()

  constructor(limits: BatchLimits, isOrdered: boolean, send: (items: unknown[]) => Promise<Sent>) {
    this.#limits = limits
    this.#most = isOrdered ? 1 : mostUnderWay
    this.#send = send
  }

  add(item: unknown, bytes: number) {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#filling.length > 0 && this.#fillingBytes + bytes > this.#limits.bytes) this.#close()

      this.#filling.push({ item, bytes, resolve, reject })
      this.#fillingBytes += bytes
      this.#company.enter()
      if (this.#isFull()) this.#close()
      else if (!this.#timer || this.#isInBeat) this.#fill()
    })
  }

  /** Lets the batch fill for as long as others are to be expected. */
  #fill() {
    const beat = this.#filling.length < this.#company.expected ? this.#beatEndsAt - performance.now() : 0

    if (this.#timer && beat > 0) return
    this.#isInBeat = beat > this.#limits.ms
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#timeIsUp(), Math.max(this.#limits.ms, beat))
  }

  // A batch that cannot leave yet had better go on filling.
  #timeIsUp() {
    this.#timer = undefined
    this.#isInBeat = false
    if (this.#mayLeave()) this.#close()
    else if (this.#unanswered >= mostUnanswered) this.#timer = setTimeout(() => this.#isDue(), longestFillingMs)
  }

  #isDue() {
    this.#timer = undefined
    this.#isOverdue = true
    if (this.#mayLeave()) this.#close()
  }

  #isFull() {
    return this.#filling.length >= this.#limits.items || this.#fillingBytes >= this.#limits.bytes
  }

  #mayLeave() {
    return this.#underWay < this.#most && this.#full.length === 0 && (this.#unanswered < mostUnanswered || this.#isOverdue)
  }

  #close() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isInBeat = false
    this.#isOverdue = false
    this.#beatEndsAt = performance.now() + beatMs
    this.#full.push(this.#filling)
    this.#filling = []
    this.#fillingBytes = 0
    this.#leave()
  }

  #leave() {
    while (this.#underWay < this.#most && this.#full.length > 0) void this.#travel(this.#full.shift()!)
  }

  async #travel(batch: Waiting[]) {
    this.#underWay++
    try {
      const { receipt } = await this.#send(batch.map(({ item }) => item))

      if (receipt) void this.#await(receipt, batch)
      else this.#answer(batch, undefined)
    } catch (error) {
      this.#company.leave(batch.length)
      for (const { reject } of batch) reject(error)
    } finally {
      this.#underWay--
      if (this.#filling.length > 0 && !this.#timer) this.#timeIsUp()
      this.#leave()
    }
  }

  async #await(receipt: Promise<unknown[] | undefined>, batch: Waiting[]) {
    this.#unanswered++
    this.#answer(batch, await receipt)
    this.#unanswered--
    if (this.#filling.length > 0 && this.#mayLeave()) this.#close()
  }

  #answer(batch: Waiting[], results: unknown[] | undefined) {
    this.#company.leave(batch.length)
    for (const [n, { resolve }] of batch.entries()) resolve(results?.[n])
  }
}

/** How many requests are here, waiting or on their way, and so how many may be expected to be here at once. */
class Company {
  #here = 0
  #most = 0
  #mostBefore = 0
  #since = 0

  enter() {
    const now = performance.now()

    this.#here++
    if (now - this.#since > memoryMs) {
      this.#mostBefore = now - this.#since > 2 * memoryMs ? 0 : this.#most
      this.#most = 0
      this.#since = now
    }
    this.#most = Math.max(this.#most, this.#here)
  }

  leave(count: number) {
    this.#here -= count
  }

  get expected() {
    return Math.min(mostExpected, Math.max(this.#most, this.#mostBefore))
  }
}
