import { mkdir, rm } from 'node:fs/promises'
import type { Git } from '#platform/git/git.ts'

interface Copy {
  from: string
  to: string
  signal: AbortSignal
}

const longest = { timeoutMs: 12 * 3600_000, maxBytes: 268_435_456 }
/** The copy is on the disk before the original is deleted. */
const durably = ['-c', 'core.fsync=all', '-c', 'core.fsyncMethod=batch']

/** Copies a repository that receives no writes, and verifies the copy. Throws when it is not whole. */
export async function copyRepository(git: Git, { from, to, signal }: Copy) {
  const options = { ...longest, signal }

  await mkdir(to, { recursive: true, mode: 0o700 })
  await git.init(to)
  await git.run(to, [...durably, 'fetch', '--quiet', '--no-write-fetch-head', '--no-auto-maintenance', '--', from, '+refs/*:refs/*'], {
    ...options,
    env: { GIT_ALLOW_PROTOCOL: 'file' }
  })
  await git.run(to, [...durably, 'symbolic-ref', 'HEAD', await git.text(from, ['symbolic-ref', 'HEAD'])])
  await git.run(to, [...durably, 'pack-refs', '--all'], options)
  await git.run(to, ['fsck', '--no-progress', '--no-dangling', '--no-reflogs'], options)
  if ((await listReferences(git, from, signal)) !== (await listReferences(git, to, signal)))
    throw new Error('The references of the copy differ.')
}

export function deleteDirectory(directory: string) {
  return rm(directory, { recursive: true, force: true, maxRetries: 3 })
}

/** With their objects, sorted by name. */
function listReferences(git: Git, directory: string, signal: AbortSignal) {
  return git.text(directory, ['for-each-ref', '--format=%(objectname) %(refname)'], { ...longest, signal })
}
