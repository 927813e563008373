import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './thread-client.ts'

/** Calls a service of the thread's owner. */
export type Call = (service: string, ...args: unknown[]) => Promise<unknown>

type Answer<Request, Response> = (request: Request, call: Call) => Response | Promise<Response>

/** The side of a `ThreadClient` that works: answers each request of the owner. */
export function answerRequests<Request, Response>(answer: Answer<Request, Response>) {
  const port = parentPort!
  /** The services that the current request waits for. When one fails, its request is given up, and so is this. */
  let calls: ((value: unknown) => void)[] = []

  port.on('message', async (message: ToThread<Request>) => {
    if ('call' in message) return calls[message.call]?.(message.value)
    const { id, request } = message
    const current: typeof calls = []
    const call: Call = (service, ...args) =>
      new Promise(resolve => {
        port.postMessage({ id, call: current.push(resolve) - 1, service, args })
      })

    calls = current
    try {
      port.postMessage({ id, response: await answer(request, call) } satisfies FromThread<Response>)
    } catch (error) {
      port.postMessage({ id, error } satisfies FromThread<Response>)
    }
  })
}
