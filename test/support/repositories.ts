import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Platform } from '#boot.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { initializeRepository } from '#repositories/open-repository.ts'

/** A directory that is gone with the test. */
export async function openDirectory(t: Test) {
  const directory = await mkdtemp(join(tmpdir(), 'tocsin-git-'))

  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))

  return directory
}

/** Puts a commit on the main branch of a project, past all checks, and returns its id. */
export async function commitTo({ git, fork }: Platform, projectId: number, content = 'hello\n') {
  const directory = await initializeRepository(fork(), git, await findRepository(fork(), { projectId }), 'main')
  const by = {
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.com',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.com'
  }
  const blob = await git.text(directory, ['hash-object', '-w', '--stdin'], { input: content })
  const tree = await git.text(directory, ['mktree'], { input: `100644 blob ${blob}\tREADME.md\n` })
  const commit = await git.text(directory, ['commit-tree', tree, '-m', 'Say hello'], { env: by })

  await git.run(directory, ['update-ref', 'refs/heads/main', commit])

  return commit
}
