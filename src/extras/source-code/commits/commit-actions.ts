import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidInput } from '#lib/refusals.ts'
import { checkUnmodified } from '#platform/database/lock-for-change.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isRefName } from '#platform/git/names.ts'
import { signedBy } from '#platform/git/signature.ts'
import { noSha, readRef, resolveCommit } from '#repositories/objects/resolve.ts'
import { moveRef } from '../refs/write-refs.ts'
import { changedAt } from './last-commit-of.ts'
import { type FileAction, stageActions } from './stage-actions.ts'

export interface NewCommit {
  branch: string
  message: string
  actions: FileAction[]
  author: { name: string; email: string }
  /** The caller. The author may be another person. */
  committer: { name: string; email: string }
  /** Where the branch begins, if it is new or forced. */
  startBranch?: string
  startSha?: string
  /** Replaces the branch. */
  isForced?: boolean
  /** Applies to the files that it changes. */
  unmodifiedSince?: Date
}

/** Adds a commit to a branch. Returns its sha and the one before, which no other write has changed meanwhile. */
export async function commitActions(repo: GitDirectory, commit: NewCommit) {
  if (!isRefName(commit.branch)) throw new InvalidInput('Branch name is invalid')
  const ref = `refs/heads/${commit.branch}`
  const tip = await readRef(repo, ref)
  const parent = await findParent(repo, commit, tip)

  await checkPaths(repo, parent, commit)
  const tree = await writeTree(repo, parent, commit.actions)
  const sha = await writeCommit(repo, tree, parent, commit)

  await moveRef(repo, ref, { to: sha, from: tip ?? noSha, isConditional: commit.unmodifiedSince !== undefined })

  return { ref, before: tip ?? noSha, after: sha }
}

/** Undefined for the first commit of a repository. */
async function findParent(repo: GitDirectory, { branch, startBranch, startSha, isForced }: NewCommit, tip: string | undefined) {
  const hasStart = startSha !== undefined || (startBranch !== undefined && startBranch !== branch)

  if (tip && hasStart && !isForced) {
    throw new InvalidInput(`A branch called '${branch}' already exists. Switch to that branch in order to make changes`)
  }
  if (!hasStart) return tip ?? checkEmpty(repo)
  const start = await resolveCommit(repo, startSha ?? `refs/heads/${startBranch}`)

  if (!start) throw new InvalidInput(startSha ? `Cannot find start_sha '${startSha}'` : `Invalid reference name: ${startBranch}`)

  return start
}

async function checkEmpty(repo: GitDirectory) {
  if (await repo.text(['for-each-ref', '--count=1', 'refs/heads/'])) {
    throw new InvalidInput('You can only create or edit files when you are on a branch')
  }

  return undefined
}

async function checkPaths(repo: GitDirectory, parent: string | undefined, { actions, unmodifiedSince: since }: NewCommit) {
  if (!since || !parent) return
  for (const { path } of actions) checkUnmodified(await changedAt(repo, parent, path), since)
}

/** In an index of its own, so that writes at the same time do not meet. */
async function writeTree(repo: GitDirectory, parent: string | undefined, actions: FileAction[]) {
  const index = join(tmpdir(), `tocsin-index-${randomUUID()}`)
  const env = { GIT_INDEX_FILE: index }

  try {
    const entries = await stageActions(repo, parent, actions)

    await repo.run(parent ? ['read-tree', parent] : ['read-tree', '--empty'], { env })
    await repo.run(['update-index', '-z', '--index-info'], { env, input: entries })

    return await repo.text(['write-tree'], { env })
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

function writeCommit(repo: GitDirectory, tree: string, parent: string | undefined, commit: NewCommit) {
  const { message, author, committer, unmodifiedSince: since } = commit
  // As `lockForChange` does: of several requests with the same date, one succeeds.
  const at = since && { GIT_COMMITTER_DATE: `@${Math.floor(Math.max(Date.now(), since.getTime() + 1000) / 1000)} +0000` }

  return repo.text(['commit-tree', tree, ...(parent ? ['-p', parent] : [])], {
    input: message,
    env: { ...signedBy(author, committer), ...at }
  })
}
