import type { Git } from '#platform/git/git.ts'
import { type Person, signedBy } from '#platform/git/signature.ts'
import { newRepositoryPath } from '#platform/git/storages.ts'
import { createRepositoryDirectory } from './open-repository.ts'

export interface FirstCommit {
  storage: string
  branch: string
  /** The text of README.md. */
  readme: string
  author: Person
}

/** Creates a repository with a README, for a row to name. A process that ends midway leaves only a directory that is deleted later. */
export async function createWithReadme(git: Git, { storage, branch, readme, author }: FirstCommit) {
  const path = newRepositoryPath()
  const directory = git.storages.directory({ storage, path })

  await createRepositoryDirectory(git, directory, branch)
  const blob = await git.text(directory, ['hash-object', '-w', '--no-filters', '--stdin'], { input: readme })
  const tree = await git.text(directory, ['mktree'], { input: `100644 blob ${blob}\tREADME.md\n` })
  const commit = await git.text(directory, ['commit-tree', tree, '-m', 'Initial commit'], { env: signedBy(author) })

  await git.run(directory, ['update-ref', `refs/heads/${branch}`, commit])

  return { storage, path, isInitialized: true, writtenAt: new Date() }
}
