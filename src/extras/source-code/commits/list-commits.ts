import { type Rows, rowsInMemory } from '#platform/database/list.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isFilePath } from '#platform/git/names.ts'
import { type Commit, readCommits } from '#repositories/objects/read-commits.ts'
import { requireCommit } from '#repositories/objects/resolve.ts'

export interface CommitFilter {
  path?: string
  since?: Date
  until?: Date
  author?: string
  isFirstParent?: boolean
  order?: 'default' | 'topo'
}

/** Commits of a branch, tag or range (`a..b`), newest first; of all branches and tags without one. */
export async function listCommits(repo: GitDirectory, revision: string | undefined, filter: CommitFilter): Promise<Rows<Commit>> {
  const { since, until, author, isFirstParent, order } = filter
  const path = filter.path?.replaceAll(/^\/{1,9}|\/{1,9}$/g, '')
  const args = [
    ...(since ? [`--max-age=${toSeconds(since)}`] : []),
    ...(until ? [`--min-age=${toSeconds(until)}`] : []),
    ...(author ? ['--fixed-strings', '--regexp-ignore-case', `--author=${author}`] : []),
    ...(isFirstParent ? ['--first-parent'] : []),
    ...(order === 'topo' ? ['--topo-order'] : []),
    ...(revision === undefined ? ['--branches', '--tags'] : [await toRange(repo, revision)])
  ]

  // No commit changed a path that cannot exist. Git refuses one that leads out of the repository.
  if (path && !isFilePath(path)) return rowsInMemory([])

  return {
    list: (limit, offset) => readCommits(repo, [`--max-count=${limit}`, `--skip=${offset}`, ...args], path ? [path] : []),
    // Without totals, as to count commits is slow.
    count: async () => Number.POSITIVE_INFINITY
  }
}

/** With shas instead of names. */
async function toRange(repo: GitDirectory, revision: string) {
  const dots = revision.includes('...') ? '...' : '..'
  const [from = '', to] = revision.split(dots, 2)
  const { sha } = await requireCommit(repo, from)

  return to === undefined ? sha : `${sha}${dots}${(await requireCommit(repo, to)).sha}`
}

function toSeconds(time: Date) {
  return Math.max(0, Math.floor(time.getTime() / 1000))
}
