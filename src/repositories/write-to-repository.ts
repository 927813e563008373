import { Forbidden, Unavailable } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Repository } from './repository.ts'
import { beginWrite, endWrite, renewWrite } from './write-store.ts'

/** It moves to another storage; the sender may try again later. */
export class RepositoryReadOnly extends Forbidden {
  override code = 'repository_read_only'

  constructor() {
    super('the repository is read-only while it moves to another storage; try again in a few minutes')
  }
}

const renewMs = 10_000

/** Runs a write as `holdRepository` does, after which the repository is maintained. */
export function writeToRepository<T>(fork: () => EntityManager, id: number, write: (repository: Repository) => Promise<T>) {
  return holdRepository(fork, id, async repository => {
    const result = await write(repository)

    await fork().nativeUpdate(Repository, { id }, { writtenAt: new Date() })

    return result
  })
}

/**
 * Runs a write that moves to another storage wait for. Answer the client only after it has returned: when it throws, the write
 * may be missing from the copy.
 */
export async function holdRepository<T>(fork: () => EntityManager, id: number, write: (repository: Repository) => Promise<T>) {
  const em = fork()
  const lease = await beginWrite(em, id)

  if (lease === undefined) throw new RepositoryReadOnly()
  // A failed renewal shows in the last one.
  const timer = setInterval(() => renewWrite(fork(), lease).catch(() => {}), renewMs)

  try {
    const result = await write(await em.findOneOrFail(Repository, { id }, { refresh: true }))

    // The process was stopped for so long that a move may have copied the repository without this write.
    if (!(await renewWrite(em, lease))) throw new Unavailable(1)

    return result
  } finally {
    clearInterval(timer)
    await endWrite(fork(), lease).catch(() => {})
  }
}
