import type { GitDirectory } from '#platform/git/git-directory.ts'
import { literalPaths } from '#repositories/objects/read-commits.ts'

/** The sha of the last commit that changed a path. */
export function lastCommitOf(repo: GitDirectory, sha: string, path: string) {
  return repo.text(['log', '--max-count=1', '--format=%H', sha, '--', path], { env: literalPaths })
}

/** When a path, or anything, was last changed. */
export async function changedAt(repo: GitDirectory, sha: string, ...paths: string[]) {
  const seconds = await repo.text(['log', '--max-count=1', '--format=%ct', sha, '--', ...paths], { env: literalPaths })

  return new Date(Number(seconds) * 1000)
}
