import type { RefChange } from '#git-http/jobs.ts'
import { InvalidInput, ModifiedSince } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { GitFailed } from '#platform/git/git-errors.ts'
import { noSha } from '#repositories/objects/resolve.ts'

/** Fails when the ref exists, also when it was created a moment ago. */
export async function createRef(repo: GitDirectory, ref: string, sha: string) {
  await moveRef(repo, ref, { to: sha, from: noSha })
}

/** Fails when the ref does not point to `from` any more: another write came first. */
export async function moveRef(
  repo: GitDirectory,
  ref: string,
  { to, from, isConditional }: { to: string; from: string; isConditional?: boolean }
) {
  await updateRefs(repo, `update ${ref}\0${to}\0${from}\0`, ref, isConditional)
}

/** Deletes all of them, or none when one was moved meanwhile. */
export async function deleteRefs(repo: GitDirectory, refs: { ref: string; sha: string }[], isConditional?: boolean): Promise<RefChange[]> {
  if (refs.length > 0) await updateRefs(repo, refs.map(({ ref, sha }) => `delete ${ref}\0${sha}\0`).join(''), refs[0]!.ref, isConditional)

  return refs.map(({ ref, sha }) => ({ ref, before: sha, after: noSha }))
}

/** `isConditional`: the request has `If-Unmodified-Since`. */
async function updateRefs(repo: GitDirectory, input: string, ref: string, isConditional = false) {
  try {
    await repo.run(['update-ref', '--no-deref', '-z', '--stdin'], { input })
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    if (isConditional) throw new ModifiedSince()
    throw new InvalidInput(`Could not update ${ref}. Please refresh and try again.`)
  }
}
