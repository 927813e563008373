import type { GitDirectory } from '#platform/git/git-directory.ts'
import { literalPaths, readCommits } from '#repositories/objects/read-commits.ts'
import { maxCommits, maxMessage, type ReleaseCommit, readPaths } from '../releases/commit-store.ts'
import { findReleaseCode } from '../source-links/release-commit.ts'

export interface NamedRelease {
  version: string
  commit: string | null
}

const maxBytes = 16 << 20
const timeoutMs = 20_000
/** Of the first release. */
const maxOfFirst = 20

/**
 * The commits of a release in the repository of its project, the latest first: since the latest release before it that is among its
 * ancestors. Undefined when the repository does not have its commit.
 */
export async function readReleaseLog(
  repo: GitDirectory,
  { release, before, branch, path }: { release: NamedRelease; before: NamedRelease[]; branch: string; path: string }
): Promise<ReleaseCommit[] | undefined> {
  const sha = await findSha(repo, release, branch)

  if (!sha) return undefined
  const previous = await findAncestor(repo, sha, before, branch)
  const range = previous ? [`^${previous}`, sha, `--max-count=${maxCommits}`] : [sha, `--max-count=${maxOfFirst}`]
  const commits = await readCommits(repo, range)
  const paths = await readChangedPaths(repo, range)

  return commits.map(({ id, author: { name, email, at }, message }) => ({
    sha: id,
    repository: path,
    authorName: name,
    authorEmail: email,
    message: message.slice(0, maxMessage),
    committedAt: new Date(at),
    paths: readPaths(paths.get(id) ?? [])
  }))
}

async function findAncestor(repo: GitDirectory, sha: string, releases: NamedRelease[], branch: string) {
  for (const release of releases) {
    const earlier = await findSha(repo, release, branch)

    if (earlier && earlier !== sha && (await repo.find(['merge-base', '--is-ancestor', earlier, sha])) !== undefined) return earlier
  }

  return undefined
}

/** Not that of a branch, which changes. */
async function findSha(repo: GitDirectory, { version, commit }: NamedRelease, defaultBranch: string) {
  const { sha, branch } = await findReleaseCode(repo, { version, commit }, defaultBranch)

  return branch === undefined ? sha : undefined
}

/** The files that each commit changes. They come after their commit, which begins with a slash, as no path does. */
async function readChangedPaths(repo: GitDirectory, range: string[]) {
  const args = ['log', '-z', '--format=/%H', '--name-only', '--no-renames', '--diff-merges=first-parent', ...range, '--']
  const output = await repo.run(args, { env: literalPaths, maxBytes, timeoutMs })
  const paths = new Map<string, string[]>()
  let current: string[] = []

  for (const part of output.toString().split('\0')) {
    const text = part.replace(/^\n/, '')

    if (text.startsWith('/')) {
      current = []
      paths.set(text.slice(1), current)
    } else if (text) current.push(text)
  }

  return paths
}
