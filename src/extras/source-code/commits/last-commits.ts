import { LRUCache } from 'lru-cache'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { type LastCommit, walkChanges } from './walk-changes.ts'

type LastCommits = Map<string, LastCommit>

/** The last commits of a directory at a commit never change. They expire so that a walk that timed out is repeated. */
const found = new LRUCache<string, LastCommits>({ max: 500, maxSize: 20_000, sizeCalculation: ({ size }) => size + 1, ttl: 600_000 })

/**
 * The last commit that changed each of these entries of a directory, by name. Bounded in time: entries that were not found by then, in a
 * long history, have none.
 */
export async function lastCommitsIn(repo: GitDirectory, sha: string, path: string, names: string[]): Promise<LastCommits> {
  const key = `${repo.path} ${sha} ${path}`
  const cached = found.get(key)

  if (cached) return cached
  const result = await walkChanges(repo, sha, path, names)

  found.set(key, result)

  return result
}
