import { setTimeout as sleep } from 'node:timers/promises'
import type { Storages } from '../git/storages.ts'

export interface StorageSpace {
  name: string
  freeBytes?: number
  totalBytes?: number
  /** Why it cannot be used. */
  problem?: string
}

const timeoutMs = 1000

/** The space of each storage. A network file system that does not answer is a problem, too. */
export function readStorages(storages: Storages): Promise<StorageSpace[]> {
  return Promise.all(
    storages.names.map(async name => {
      const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))

      return Promise.race([storages.space(name), timeout]).then(
        space => ({ name, ...space }),
        error => ({ name, problem: problemOf(error) })
      )
    })
  )
}

/** Without the path, which is no one's business. */
function problemOf(error: NodeJS.ErrnoException) {
  return error.code ?? error.message
}
