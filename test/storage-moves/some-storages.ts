import type { Test } from 'tap'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'
import { carryOutMove } from '#storage-moves/carry-out-move.ts'
import { commitTo, openDirectory } from '../support/repositories.ts'
import { openApp, type QueueKind } from '../support/world.ts'

/** A project on the storage `near`, beside the storage `far`. */
export async function someStorages(t: Test, kind: QueueKind = 'postgres', env: Record<string, string> = {}) {
  const directory = await openDirectory(t)
  const storages = { REPOSITORY_STORAGES: `near:${directory}/near,far:${directory}/far`, REPOSITORY_STORAGE_WEIGHTS: 'far:0' }
  const world = await openApp(t, { kind, env: { ...storages, ...env } })
  const { call, platform } = world
  const { git, fork } = platform
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const find = () => findRepository(fork(), { projectId: project.id })
  const moves = `/projects/${project.id}/repository_storage_moves`

  return {
    ...world,
    directory,
    project,
    find,
    git,
    fork,
    moves,
    commit: (content?: string) => commitTo(platform, project.id, content),
    head: async () => git.text((await openRepository(git, await find()))!, ['rev-parse', 'main']),
    schedule: async () => (await call('POST', moves, { destination_storage_name: 'far' })).body,
    run: (moveId: number, attempts = 0) => carryOutMove({ git, fork, signal: new AbortController().signal }, moveId, attempts),
    state: async (id: number) => (await call('GET', `${moves}/${id}`)).body
  }
}

export async function until<T>(get: () => Promise<T>, isRight: (value: T) => boolean) {
  for (;;) {
    const value = await get()

    if (isRight(value)) return value
    await new Promise(resolve => setImmediate(resolve))
  }
}
