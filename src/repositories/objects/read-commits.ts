import type { GitDirectory } from '#platform/git/git-directory.ts'

export interface Commit {
  id: string
  parentIds: string[]
  author: Signature
  committer: Signature
  message: string
  /** `Key: value` lines at its end. */
  trailers: string
}

interface Signature {
  name: string
  email: string
  /** ISO 8601, with the zone of its author. */
  at: string
}

const fields = ['%H', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B', '%(trailers:only=true,unfold=true)']
const format = `--format=tformat:${fields.join('%x00')}`

/** Paths of clients are no patterns. */
export const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }

/** The commits that `git log` shows. The arguments hold no names that a client chose, only shas. */
export async function readCommits(repo: GitDirectory, args: string[], paths: string[] = []) {
  const output = await repo.run(['log', '-z', '--no-show-signature', format, ...args, '--', ...paths], { env: literalPaths })
  const values = output.toString().split('\0')

  return Array.from({ length: Math.floor(values.length / fields.length) }, (_, n) =>
    toCommit(values.slice(n * fields.length, (n + 1) * fields.length))
  )
}

export async function readCommitsBySha(repo: GitDirectory, shas: string[]) {
  const commits = shas.length === 0 ? [] : await readCommits(repo, ['--no-walk=unsorted', ...new Set(shas)])

  return new Map(commits.map(commit => [commit.id, commit]))
}

export async function readCommit(repo: GitDirectory, sha: string) {
  const [commit] = await readCommits(repo, ['--no-walk', sha])

  return commit!
}

export interface CommitStats {
  additions: number
  deletions: number
  total: number
}

/** Lines that each commit adds and deletes; a merge against its first parent. */
export async function readStats(repo: GitDirectory, shas: string[]) {
  if (shas.length === 0) return new Map<string, CommitStats>()
  const args = ['log', '--no-walk=unsorted', '--shortstat', '--diff-merges=first-parent', '--format=%x00%H', ...shas, '--']
  const records = (await repo.text(args)).split('\0').slice(1)

  return new Map(records.map(record => [record.slice(0, 40), toStats(record)]))
}

function toStats(record: string): CommitStats {
  const additions = Number(/(\d{1,15}) insertion/.exec(record)?.[1] ?? 0)
  const deletions = Number(/(\d{1,15}) deletion/.exec(record)?.[1] ?? 0)

  return { additions, deletions, total: additions + deletions }
}

function toCommit([id = '', parents = '', ...values]: string[]): Commit {
  const [authorName, authorEmail, authoredAt, committerName, committerEmail, committedAt, message, trailers] = values

  return {
    id,
    parentIds: parents === '' ? [] : parents.split(' '),
    author: toSignature(authorName, authorEmail, authoredAt),
    committer: toSignature(committerName, committerEmail, committedAt),
    message: message ?? '',
    trailers: trailers ?? ''
  }
}

function toSignature(name = '', email = '', at = ''): Signature {
  return { name, email, at: toTime(at) }
}

/** GitLab writes milliseconds. Commits may hold dates that do not exist. */
function toTime(text: string) {
  const [, time, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []

  return time && !Number.isNaN(Date.parse(text)) ? `${time}.000${zone === 'Z' ? '+00:00' : zone}` : '1970-01-01T00:00:00.000+00:00'
}
