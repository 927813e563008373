import { AsyncLocalStorage } from 'node:async_hooks'

const chains = new AsyncLocalStorage<string | undefined>()

/** Runs on behalf of an event that webhooks were sent: what happens now belongs to its chain. Single jobs that are enqueued keep it. */
export function withEventChain<T>(chain: string | undefined, run: () => T) {
  return chains.run(chain, run)
}

/** The UUID of the event that led to what happens now; undefined for what begins by itself. */
export function currentEventChain() {
  return chains.getStore()
}
