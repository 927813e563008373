import { Worker } from 'node:worker_threads'

export interface ThreadLimits {
  heapMb: number
  /** For one request. */
  ms: number
  /** Requests that wait for their turn; more are refused. */
  waiting?: number
}

/** What the thread may ask for while it works on a request. */
export type Services = Record<string, (...args: never[]) => Promise<unknown>>

/** What passes between a thread and its owner. */
export type ToThread<Request> = { id: number; request: Request } | { id: number; call: number; value: unknown }
export type FromThread<Response> =
  | { id: number; response: Response }
  | { id: number; error: unknown }
  | { id: number; call: number; service: string; args: never[] }

/** The thread gave no answer: its limits were reached. */
export class ThreadFailure extends Error {
  readonly reason: 'time' | 'memory' | 'busy'

  constructor(reason: ThreadFailure['reason']) {
    super(`The thread gave no answer: ${reason}`)
    this.reason = reason
  }
}

interface Running<Response> {
  id: number
  services: Services
  resolve: (response: Response) => void
  reject: (error: unknown) => void
}

const idleMs = 30_000

/**
 * Answers requests in a thread, one at a time, with limits on heap and time: work whose cost a caller decides can neither
 * block the event loop nor exhaust the memory of the process. The thread starts with the first request and ends when it is idle.
 */
export class ThreadClient<Request, Response> {
  #script: URL
  #limits: ThreadLimits
  #worker?: Worker
  #running?: Running<Response>
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #nextId = 1
  #idle?: NodeJS.Timeout

  constructor(script: URL, limits: ThreadLimits) {
    this.#script = script
    this.#limits = limits
  }

  /** Rejects with a `ThreadFailure`, with what the thread threw, or with what a service rejected with. */
  async ask(request: Request, services: Services = {}): Promise<Response> {
    const { waiting = Number.POSITIVE_INFINITY } = this.#limits

    if (this.#waiting >= waiting) throw new ThreadFailure('busy')
    this.#waiting++
    const response = this.#last.then(() => this.#answer(request, services)).finally(() => this.#waiting--)

    this.#last = response.catch(() => {})

    return response
  }

  async #answer(request: Request, services: Services) {
    const worker = this.#start()
    const timer = setTimeout(() => this.#end(new ThreadFailure('time')), this.#limits.ms)

    worker.ref()
    try {
      return await new Promise<Response>((resolve, reject) => {
        const id = this.#nextId++

        this.#running = { id, services, resolve, reject }
        worker.postMessage({ id, request } satisfies ToThread<Request>)
      })
    } finally {
      clearTimeout(timer)
      this.#running = undefined
      // An idle thread must not keep the process alive.
      worker.unref()
      this.#idle = setTimeout(() => this.#end(), idleMs).unref()
    }
  }

  #start() {
    clearTimeout(this.#idle)
    if (this.#worker) return this.#worker
    const worker = new Worker(this.#script, { resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb } })

    worker.on('message', message => this.#receive(worker, message))
    worker.on('error', error => worker === this.#worker && this.#end(causeOf(error)))
    this.#worker = worker

    return worker
  }

  #receive(worker: Worker, message: FromThread<Response>) {
    const running = this.#running

    // The answer to a request that was given up, because a service failed.
    if (message.id !== running?.id) return
    if ('response' in message) running.resolve(message.response)
    else if ('error' in message) running.reject(message.error)
    else serve(worker, message, running)
  }

  #end(cause?: unknown) {
    const worker = this.#worker

    this.#worker = undefined
    clearTimeout(this.#idle)
    this.#running?.reject(cause)
    worker?.terminate()
  }
}

async function serve<Response>(
  worker: Worker,
  { id, call, service, args }: { id: number; call: number; service: string; args: never[] },
  { services, reject }: Running<Response>
) {
  try {
    const value = await services[service]!(...args)

    worker.postMessage({ id, call, value } satisfies ToThread<never>)
  } catch (error) {
    reject(error)
  }
}

function causeOf(error: unknown) {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadFailure('memory') : error
}
