import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitFailed } from '#platform/git/git-errors.ts'
import { isRefName } from '#platform/git/names.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'

/** Checks the name for a new project, or for the new projects of a group. */
export function checkBranchName(name: string | null | undefined) {
  if (name && !isRefName(name)) throw new ValidationFailed({ default_branch: ['is not the name of a branch'] })
}

/** A project whose repository has branches takes one of them as its default branch. */
export async function checkDefaultBranch(em: EntityManager, git: Git, projectId: number, name: string) {
  checkBranchName(name)
  const directory = await openRepository(git, await findRepository(em, { projectId }))

  if (directory === undefined || !(await git.text(directory, ['for-each-ref', '--count=1', 'refs/heads/']))) return
  try {
    await git.run(directory, ['show-ref', '--verify', '--quiet', `refs/heads/${name}`])
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    throw new ValidationFailed({ default_branch: [`is not a branch of the repository: push ${name} first`] })
  }
}
