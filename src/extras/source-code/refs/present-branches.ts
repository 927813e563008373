import Type from 'typebox'
import { encodePath } from '#lib/encode-path.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import type { Ref } from '#repositories/objects/list-refs.ts'
import { readCommitsBySha } from '#repositories/objects/read-commits.ts'
import { CommitShape, presentCommit } from '../commits/present-commit.ts'
import type { Code } from '../find-code.ts'
import { canPush } from './check-branch-push.ts'

export const BranchShape = Type.Object({
  name: Type.String(),
  commit: CommitShape,
  merged: Type.Boolean(),
  protected: Type.Boolean({ description: 'Only maintainers may force-push to it.' }),
  developers_can_push: Type.Boolean(),
  developers_can_merge: Type.Boolean(),
  can_push: Type.Boolean(),
  default: Type.Boolean(),
  web_url: Type.String()
})

/** Branches with their last commits, and whether the default branch contains them. */
export async function presentBranches(repo: GitDirectory, code: Code, branches: Ref[], baseUrl: string) {
  const { defaultBranch, fullPath } = code.project
  const projectUrl = `${baseUrl}/${fullPath}`
  const commits = await readCommitsBySha(
    repo,
    branches.map(({ target }) => target)
  )
  const merged = await findMerged(repo, defaultBranch, branches)

  return branches.map(({ name, target }) => ({
    name,
    commit: presentCommit(commits.get(target)!, { projectUrl }),
    merged: merged.has(name),
    protected: name === defaultBranch,
    developers_can_push: name === defaultBranch,
    developers_can_merge: name === defaultBranch,
    can_push: canPush(code, name),
    default: name === defaultBranch,
    web_url: `${projectUrl}/-/tree/${encodePath(name)}`
  }))
}

/** The names of those whose commits are in the default branch. The default branch, and one at the same commit, are none. */
export async function findMerged(repo: GitDirectory, defaultBranch: string, branches: Ref[]) {
  const refs = branches.map(({ name }) => `refs/heads/${name}`)
  const output =
    refs.length > 0 &&
    (await repo.find(['for-each-ref', `--merged=refs/heads/${defaultBranch}`, '--format=%(refname) %(objectname)', ...refs]))

  if (!output) return new Set<string>()
  const tip = await repo.find(['rev-parse', '--verify', '--quiet', `refs/heads/${defaultBranch}`])
  const lines = output.split('\n').map(line => line.split(' ') as [string, string])

  return new Set(lines.filter(([, sha]) => sha !== tip).map(([ref]) => ref.slice('refs/heads/'.length)))
}
