import type { Viewer } from '#identity/viewer.ts'
import { InvalidInput, NotFound, Unsupported } from '#lib/refusals.ts'
import { checkUnmodified } from '#platform/database/lock-for-change.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isRefName } from '#platform/git/names.ts'
import { listRefs } from '#repositories/objects/list-refs.ts'
import { noSha, readRef, resolveCommit } from '#repositories/objects/resolve.ts'
import { commitActions } from '../commits/commit-actions.ts'
import { changedAt } from '../commits/last-commit-of.ts'
import { signaturesOf } from '../commits/new-commit-route.ts'
import { findMerged } from './present-branches.ts'
import { createRef, deleteRefs } from './write-refs.ts'

export function checkBranchName(name: string) {
  if (!isRefName(name)) throw new InvalidInput('Branch name is invalid')
}

/** In an empty repository, a branch that begins at the default branch creates that, too, with an empty README. */
export async function createDefaultBranch(repo: GitDirectory, branch: string, revision: string, author: Viewer) {
  if (revision !== branch || (await listRefs(repo, 'refs/heads/')).length > 0) return []
  const readme = { action: 'create' as const, path: 'README.md', content: Buffer.alloc(0) }

  return [await commitActions(repo, { branch, message: 'Add README.md', actions: [readme], ...signaturesOf(author) })]
}

export async function createBranch(repo: GitDirectory, name: string, revision: string) {
  checkBranchName(name)
  const ref = `refs/heads/${name}`
  const sha = await resolveCommit(repo, revision)

  if (!sha) throw new InvalidInput(`Invalid reference name: ${revision}`)
  if (await readRef(repo, ref)) throw new InvalidInput('Branch already exists')
  await createRef(repo, ref, sha)

  return [{ ref, before: noSha, after: sha }]
}

export async function deleteBranch(repo: GitDirectory, name: string, defaultBranch: string, since?: Date) {
  if (name === defaultBranch) throw new DefaultBranchKept()
  const ref = `refs/heads/${name}`
  const sha = isRefName(name) ? await readRef(repo, ref) : undefined

  if (!sha) throw new NotFound('Branch')
  if (since) checkUnmodified(await changedAt(repo, sha), since)

  return deleteRefs(repo, [{ ref, sha }], since !== undefined)
}

/** Deletes the branches that are in the default branch, but not that one. */
export async function deleteMergedBranches(repo: GitDirectory, defaultBranch: string) {
  const branches = await listRefs(repo, 'refs/heads/')
  const merged = await findMerged(repo, defaultBranch, branches)
  const refs = branches.filter(({ name }) => merged.has(name)).map(({ name, target }) => ({ ref: `refs/heads/${name}`, sha: target }))

  return deleteRefs(repo, refs)
}

class DefaultBranchKept extends Unsupported {
  override code = 'default_branch_kept'
  override isSentence = true

  constructor() {
    super('Cannot remove HEAD branch')
  }
}
