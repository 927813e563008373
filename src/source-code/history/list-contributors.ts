import type { GitDirectory } from '../../platform/git/git-directory.ts'

/** Authors, with the number of their commits. */
export async function listContributors(repo: GitDirectory, sha: string, order: 'name' | 'email' | 'commits', sort: 'asc' | 'desc' = 'asc') {
  const lines = (await repo.text(['shortlog', '--summary', '--numbered', '--email', sha, '--'])).split('\n')
  const people = lines.flatMap(line => {
    const [, commits, name, email] = /^\s*(\d+)\t(.*) <([^<>]*)>$/.exec(line) ?? []

    return commits === undefined ? [] : [{ name: name!, email: email!, commits: Number(commits), additions: 0, deletions: 0 }]
  })
  const direction = sort === 'asc' ? 1 : -1

  return people.toSorted((one, other) => direction * (one[order] < other[order] ? -1 : Number(one[order] > other[order])))
}
