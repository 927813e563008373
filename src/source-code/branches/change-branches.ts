import { checkUnmodified } from '../../http/conditional-requests.ts'
import { BadParameter, NotFound, Problem } from '../../http/problems/problems.ts'
import type { GitDirectory } from '../../platform/git/git-directory.ts'
import { isRefName } from '../../platform/git/names.ts'
import { changedAt } from '../commits/last-commit-of.ts'
import { listRefs } from '../objects/list-refs.ts'
import { noSha, readRef, resolveCommit } from '../objects/resolve.ts'
import { createRef, deleteRefs } from '../objects/write-refs.ts'
import { findMerged } from './present-branches.ts'

export async function createBranch(repo: GitDirectory, name: string, revision: string) {
  if (!isRefName(name)) throw new BadParameter('Branch name is invalid')
  const ref = `refs/heads/${name}`
  const sha = await resolveCommit(repo, revision)

  if (!sha) throw new BadParameter(`Invalid reference name: ${revision}`)
  if (await readRef(repo, ref)) throw new BadParameter('Branch already exists')
  await createRef(repo, ref, sha)

  return [{ ref, before: noSha, after: sha }]
}

export async function deleteBranch(repo: GitDirectory, name: string, defaultBranch: string, since?: Date) {
  if (name === defaultBranch) throw new Problem(405, { message: 'Cannot remove HEAD branch' })
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
