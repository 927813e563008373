import { NotFound } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isRevision } from '#platform/git/names.ts'

/** No object: the value of a ref that does not exist. */
export const noSha = '0'.repeat(40)

/** The sha of a commit. Undefined when nothing has this name. */
export async function resolveCommit(repo: GitDirectory | undefined, revision: string) {
  if (!repo || !isRevision(revision)) return undefined

  // Not rev-parse with `^{commit}`: it reads the whole of a blob, however large, to say that it is no commit.
  return (await repo.find(['rev-list', '--no-walk', '--max-count=1', '--end-of-options', revision, '--'])) || undefined
}

export async function requireCommit(repo: GitDirectory | undefined, revision: string, resource = 'Commit') {
  const sha = await resolveCommit(repo, revision)

  if (!repo || !sha) throw new NotFound(resource)

  return { repo, sha }
}

/** What a full ref, such as `refs/heads/main`, points to. */
export function readRef(repo: GitDirectory, ref: string) {
  return repo.find(['rev-parse', '--verify', '--quiet', '--end-of-options', ref])
}
