import type { RefChange } from '#git-http/jobs.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import type { Project } from '#projects/project.ts'
import { readCommits } from '#repositories/objects/read-commits.ts'

/** As in GitLab. */
const maxCommits = 20
const maxFiles = 1000

/** The newest commits of a push, oldest first, and how many there are. A new branch has those that the default branch lacks. */
export async function readPushedCommits(repo: GitDirectory, project: Project, { ref, before, after }: RefChange, baseUrl: string) {
  const base = /^0+$/.test(before) ? `refs/heads/${project.defaultBranch}` : before
  const hasBase = base !== ref && (await repo.find(['rev-parse', '--verify', '--quiet', `${base}^{commit}`]))
  const range = [after, ...(hasBase ? ['--not', base] : [])]
  const total = Number((await repo.find(['rev-list', '--count', ...range, '--'])) ?? 0)
  const commits = total > 0 ? await readCommits(repo, [`--max-count=${maxCommits}`, ...range]) : []
  const presented = []

  for (const { id, message, author } of commits.toReversed()) {
    presented.push({
      id,
      message,
      title: message.split('\n', 1)[0],
      timestamp: author.at,
      url: `${baseUrl}/${project.fullPath}/-/commit/${id}`,
      author: { name: author.name, email: author.email },
      ...(await readFiles(repo, id))
    })
  }

  return { commits: presented, total }
}

async function readFiles(repo: GitDirectory, sha: string) {
  const output = (await repo.find(['diff-tree', '-r', '-z', '--root', '--no-commit-id', '--name-status', '--no-renames', sha])) ?? ''
  const fields = output.split('\0')
  const files: Record<'added' | 'modified' | 'removed', string[]> = { added: [], modified: [], removed: [] }

  for (let n = 0; n + 1 < Math.min(fields.length, 2 * maxFiles); n += 2) {
    files[fields[n] === 'A' ? 'added' : fields[n] === 'D' ? 'removed' : 'modified'].push(fields[n + 1]!)
  }

  return files
}
