export interface BatchLimits {
  /** Maximum weight of a batch. */
  items: number
  bytes: number
  ms: number
  /** Maximum bytes of items that are not yet in the queue. */
  memory: number
}

interface PendingItem {
  item: unknown
  resolve: (receipt: unknown) => void
  reject: (error: unknown) => void
}

export interface Sent {
  receipt?: Promise<unknown[] | undefined>
}

/**
 * For contracts with receipts: at most this many batches wait for a worker at once. Meanwhile, items fill one larger
 * batch, for at most `maxFillMs`, because there may be no worker.
 */
const maxUnanswered = 2
const maxFillMs = 50

/** Batches items of one contract for one queue: one batch fills while another is enqueued. */
export class Lane {
  #limits: BatchLimits
  #send: (items: unknown[]) => Promise<Sent>
  #onIdle: () => void
  #filling: PendingItem[] = []
  #fillingBytes = 0
  #fillingWeight = 0
  #closed: PendingItem[][] = []
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
      if (this.#filling.length > 0 && this.#isOver(bytes, weight)) this.#closeBatch()

      this.#filling.push({ item, resolve, reject })
      this.#fillingBytes += bytes
      this.#fillingWeight += weight
      if (this.#isOver(1, 1)) this.#closeBatch()
      else this.#timer ??= setTimeout(() => this.#onTimer(), this.#limits.ms)
    })
  }

  #isOver(bytes: number, weight: number) {
    return this.#fillingBytes + bytes > this.#limits.bytes || this.#fillingWeight + weight > this.#limits.items
  }

  // A batch that may not be sent yet keeps filling.
  #onTimer() {
    this.#timer = undefined
    if (this.#maySend()) this.#closeBatch()
    else if (this.#unanswered >= maxUnanswered) this.#timer = setTimeout(() => this.#onOverdue(), maxFillMs)
  }

  #onOverdue() {
    this.#timer = undefined
    this.#isOverdue = true
    if (this.#maySend()) this.#closeBatch()
  }

  #maySend() {
    return !this.#isSending && (this.#unanswered < maxUnanswered || this.#isOverdue)
  }

  #closeBatch() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isOverdue = false
    this.#closed.push(this.#filling)
    this.#filling = []
    this.#fillingBytes = 0
    this.#fillingWeight = 0
    if (!this.#isSending) void this.#sendAll()
  }

  async #sendAll() {
    this.#isSending = true
    for (let batch = this.#closed.shift(); batch; batch = this.#closed.shift()) await this.#sendOne(batch)
    this.#isSending = false
    if (this.#filling.length > 0 && !this.#timer) this.#onTimer()
    this.#checkIdle()
  }

  async #sendOne(batch: PendingItem[]) {
    try {
      const { receipt } = await this.#send(batch.map(({ item }) => item))

      if (receipt) void this.#awaitReceipt(receipt, batch)
      else resolveAll(batch, undefined)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async #awaitReceipt(receipt: Promise<unknown[] | undefined>, batch: PendingItem[]) {
    this.#unanswered++
    resolveAll(batch, await receipt)
    this.#unanswered--
    if (this.#filling.length > 0 && this.#maySend()) this.#closeBatch()
    this.#checkIdle()
  }

  #checkIdle() {
    if (!this.#isSending && this.#filling.length === 0 && this.#unanswered === 0) this.#onIdle()
  }
}

function resolveAll(batch: PendingItem[], results: unknown[] | undefined) {
  for (const [n, { resolve }] of batch.entries()) resolve(results?.[n])
}
