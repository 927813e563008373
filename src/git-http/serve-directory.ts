import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Git } from '#platform/git/git.ts'
import { GitFailed } from '#platform/git/git-errors.ts'
import { openRepository } from '#repositories/open-repository.ts'
import type { GitTarget } from './git-target.ts'

/**
 * The directory to read a repository from, whose HEAD is the default branch. As long as nothing was pushed it is an empty one,
 * so that reading creates nothing. Call `release` at the end.
 */
export async function openForReading(git: Git, { repository, defaultBranch }: GitTarget) {
  const directory = await openRepository(git, repository)

  if (directory === undefined) return createEmpty(git, defaultBranch)
  await pointHead(git, directory, defaultBranch)

  return { directory, release: async () => {} }
}

/** Makes HEAD, which clones check out, the default branch. */
export async function pointHead(git: Git, directory: string, branch: string) {
  const head = await readFile(join(directory, 'HEAD'), 'utf8').catch(() => '')

  if (head.trimEnd() === `ref: refs/heads/${branch}`) return
  try {
    await git.run(directory, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
  } catch (error) {
    // Not the name of a branch.
    if (!(error instanceof GitFailed)) throw error
  }
}

async function createEmpty(git: Git, branch: string) {
  const directory = await mkdtemp(join(tmpdir(), 'tocsin-empty-'))
  const release = () => rm(directory, { recursive: true, force: true })

  try {
    await git.init(directory)
    await pointHead(git, directory, branch)
  } catch (error) {
    await release()
    throw error
  }

  return { directory, release }
}
