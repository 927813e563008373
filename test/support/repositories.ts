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

export interface Commit {
  author: { name: string; email: string }
  message: string
  /** The contents of the files that it changes; null deletes one. */
  files: Record<string, string | null>
  tags?: string[]
  at?: Date
}

/** Puts commits on a branch of a project, past all checks, and returns their ids. */
export async function importCommits({ git, fork }: Platform, projectId: number, commits: Commit[], branch = 'main') {
  const directory = await initializeRepository(fork(), git, await findRepository(fork(), { projectId }), 'main')
  const shas = []

  for (const commit of commits) {
    const parent = await git.text(directory, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]).catch(() => undefined)

    await git.run(directory, ['fast-import', '--quiet'], { input: toStream(commit, branch, parent) })
    shas.push(await git.text(directory, ['rev-parse', `refs/heads/${branch}`]))
    for (const tag of commit.tags ?? []) await git.run(directory, ['update-ref', `refs/tags/${tag}`, shas.at(-1)!])
  }

  return shas
}

function toStream({ author, message, files, at = new Date() }: Commit, branch: string, parent: string | undefined) {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const by = `${author.name} <${author.email}> ${Math.floor(at.getTime() / 1000)} +0000`
  const changes = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${JSON.stringify(path)}\n` : `M 100644 inline ${JSON.stringify(path)}\n${data(text)}`
  )

  return `commit refs/heads/${branch}\nauthor ${by}\ncommitter ${by}\n${data(message)}${parent ? `from ${parent}\n` : ''}${changes.join('')}\n`
}
