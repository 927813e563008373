import type { GitDirectory } from '#platform/git/git-directory.ts'
import { readCommits } from '#repositories/objects/read-commits.ts'
import { emptyTree, readDiff } from './read-diff.ts'

const maxCommits = 1000

/** The commits of one that the other does not have, oldest first, and what they change: since they parted, unless `isStraight`. */
export async function compare(repo: GitDirectory, from: string, to: string, isStraight: boolean) {
  const base = isStraight ? from : ((await repo.find(['merge-base', from, to])) ?? emptyTree)
  const commits = await readCommits(repo, [`--max-count=${maxCommits}`, `${from}..${to}`])

  return { commits: commits.reverse(), diffs: await readDiff(repo, base, to) }
}
