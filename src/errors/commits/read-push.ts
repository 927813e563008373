import { type Json, listOrEmpty, objectOrEmpty, textOrEmpty } from '#lib/json.ts'
import { truncateStorable } from '#lib/storable-text.ts'
import { parseIsoTime } from '#lib/time.ts'
import { maxCommits, maxMessage, type ReleaseCommit, readPaths } from '../releases/commit-store.ts'

export interface Push {
  repository: string
  branch: string
  /** In the order of their history. */
  commits: Omit<ReleaseCommit, 'repository'>[]
}

/** A push as GitHub, GitLab, Gitea and Forgejo send it. Undefined for what is not a push to a branch. */
export function readPush(payload: Json): Push | undefined {
  const [, branch] = /^refs\/heads\/(.+)$/s.exec(textOrEmpty(payload.ref)) ?? []
  const repository = objectOrEmpty(payload.project).path_with_namespace ?? objectOrEmpty(payload.repository).full_name

  if (!branch || !Array.isArray(payload.commits)) return undefined

  return {
    repository: truncateStorable(textOrEmpty(repository), 255),
    branch: truncateStorable(branch, 255),
    commits: payload.commits
      .map(objectOrEmpty)
      .filter(({ id }) => isSha(id))
      .slice(-maxCommits)
      .map(readCommit)
  }
}

function readCommit({ id, message, author, timestamp, added, modified, removed }: Json): Push['commits'][number] {
  const { name, email } = objectOrEmpty(author)

  return {
    sha: textOrEmpty(id).toLowerCase(),
    authorName: truncateStorable(textOrEmpty(name), 255),
    authorEmail: truncateStorable(textOrEmpty(email), 255),
    message: truncateStorable(textOrEmpty(message), maxMessage),
    paths: readPaths([added, modified, removed].flatMap(listOrEmpty)),
    committedAt: parseIsoTime(textOrEmpty(timestamp)) ?? null
  }
}

function isSha(text: unknown) {
  return typeof text === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(text)
}
