import { recordActivity } from '#activity/activity-store.ts'
import { commitActions } from '#extras/source-code/commits/commit-actions.ts'
import type { FileAction } from '#extras/source-code/commits/stage-actions.ts'
import { listTree } from '#extras/source-code/files/list-tree.ts'
import { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { Git } from '#platform/git/git.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import { newRepositoryPath } from '#platform/git/storages.ts'
import { addRepository, findRepository } from '#repositories/find-repository.ts'
import { resolveCommit } from '#repositories/objects/resolve.ts'
import { createRepositoryDirectory, initializeRepository } from '#repositories/open-repository.ts'
import { writeToRepository } from '#repositories/write-to-repository.ts'
import { maxFiles, Snippet, type SnippetChanges, snippetBranch } from '#snippets/snippet.ts'
import type { SpamCheck } from '#spam/spam-check.ts'
import { checkChangedSnippet, checkNewSnippet } from './check-snippet.ts'

export interface NewSnippet extends SnippetChanges {
  title: string
  projectId: number | null
  actions: FileAction[]
  userAgent: string
  ipAddress: string
  spam?: SpamCheck
}

interface Deps {
  fork: () => EntityManager
  git: Git
}

/**
 * Creates a snippet with its files. The repository is written first, and named by a row last: a process that ends midway leaves only a
 * directory that is deleted later.
 */
export async function createSnippet({ fork, git }: Deps, author: Viewer, { actions, spam, ...input }: NewSnippet) {
  await checkNewSnippet(spam, input, actions)
  const place = { storage: git.storages.pick(), path: newRepositoryPath() }
  const repo = new GitDirectory(git, git.storages.directory(place))

  await createRepositoryDirectory(git, repo.path, snippetBranch)
  const fileNames = await commitFiles(repo, author, 'Create the snippet', actions)

  return fork().transactional(async em => {
    const snippet = em.create(Snippet, { ...input, fileNames, author: em.getReference(User, author.id) })

    await em.flush()
    addRepository(em, { snippetId: snippet.id }, { ...place, isInitialized: true, writtenAt: new Date() })
    await spam?.remember(em)
    if (input.projectId !== null) await recordCreation(em, snippet, input.projectId, author.id)

    return snippet
  })
}

/** Changes a snippet and its files. */
export async function updateSnippet(
  { fork, git }: Deps,
  id: number,
  user: Viewer,
  changes: SnippetChanges & { actions: FileAction[]; spam?: SpamCheck }
) {
  const { actions, spam, ...fields } = changes

  if (spam) await checkChangedSnippet(spam, { em: fork(), git }, id, { ...fields, actions })
  const { id: repositoryId } = await findRepository(fork(), { snippetId: id })
  const save = (fileNames?: string[]) =>
    fork().transactional(async em => {
      const snippet = await em.findOneOrFail(Snippet, { id })

      await lockForChange(em, snippet)
      snippet.change({ ...fields, fileNames })
    })

  if (actions.length === 0) return save()
  await writeToRepository(fork, repositoryId, async repository => {
    const path = await initializeRepository(fork(), git, repository, snippetBranch)

    await save(await commitFiles(new GitDirectory(git, path), user, 'Update the snippet', actions))
  })
}

/** Its repository goes with it; the directory is deleted later. */
export async function deleteSnippet(em: EntityManager, snippet: Snippet) {
  await em.transactional(async em => {
    await lockForChange(em, snippet)
    em.remove(snippet)
  })
}

/** Returns the names of all files. */
async function commitFiles(repo: GitDirectory, { name, email }: Viewer, message: string, actions: FileAction[]) {
  const names = namesAfter(await readNames(repo), actions)
  const signature = { name, email }

  if (names.length === 0) throw new ValidationFailed({ base: ['Snippet must have at least one file'] })
  if (names.length > maxFiles) throw new ValidationFailed({ files: [`can contain at most ${maxFiles} files`] })
  await commitActions(repo, { branch: snippetBranch, message, actions, author: signature, committer: signature })

  return names
}

/** The paths of its files. */
export async function readNames(repo: GitDirectory) {
  const sha = await resolveCommit(repo, snippetBranch)
  const entries = sha ? await listTree(repo, sha, '', true) : []

  return entries.filter(({ type }) => type === 'blob').map(({ path }) => path)
}

/** What `commitActions` refuses may be wrong. */
function namesAfter(names: string[], actions: FileAction[]) {
  const files = new Set(names)

  for (const { action, path, previousPath } of actions) {
    if (previousPath !== undefined) files.delete(previousPath)
    if (action === 'delete') files.delete(path)
    else files.add(path)
  }

  return [...files].sort()
}

function recordCreation(em: EntityManager, { id, title }: Snippet, projectId: number, authorId: number) {
  return recordActivity(em, { projectId, authorId, action: 'created', target: { type: 'Snippet', id, title } })
}
