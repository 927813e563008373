import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'

/** The repository of a snippet. */
export async function openSnippet(em: EntityManager, git: Git, snippetId: number) {
  const directory = await openRepository(git, await findRepository(em, { snippetId }))

  if (directory === undefined) throw new NotFound('File')

  return new GitDirectory(git, directory)
}
