import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './thread-client.ts'

/** Calls a service of the thread's owner. */
export type Call = (service: string, ...args: unknown[]) => Promise<unknown>

type Answer<Request, Response> = (request: Request, call: Call) => Response | Promise<Response>

/** The side of a `ThreadClient` that works: answers each request of the owner. */
export function answerRequests<Request, Response>(answer: Answer<Request, Response>) {
  const port = parentPort!
  let current = { id: 0, calls: [] as ((value: unknown) => void)[] }

  port.on('message', async (message: ToThread<Request>) => {
    if ('call' in message) {
      // A request is given up when one of its calls fails; others of them may still be answered.
      if (message.id === current.id) current.calls[message.call]!(message.value)

      return
    }
    const { id, request } = message
    const calls: typeof current.calls = []
    const call: Call = (service, ...args) =>
      new Promise(resolve => {
        port.postMessage({ id, call: calls.push(resolve) - 1, service, args })
      })

    current = { id, calls }
    try {
      port.postMessage({ id, response: await answer(request, call) } satisfies FromThread<Response>)
    } catch (error) {
      port.postMessage({ id, error } satisfies FromThread<Response>)
    }
  })
}
