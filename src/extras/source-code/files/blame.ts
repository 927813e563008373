import { NotFound, Unprocessable } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { GitFailed } from '#platform/git/git-errors.ts'
import { literalPaths, readCommitsBySha } from '#repositories/objects/read-commits.ts'
import { presentCommit } from '../commits/present-commit.ts'
import type { FileAt } from './read-file.ts'

const maxBytes = 1_048_576

interface Part {
  sha: string
  lines: string[]
}

/** Parts of a file, each with the commit that last changed it. */
export async function readBlame({ repo, commit, entry, size }: FileAt, projectUrl: string, range?: { start: number; end: number }) {
  if (size > maxBytes) throw new Unprocessable('the file is larger than 1 MiB')
  const args = ['blame', '--porcelain', ...(range ? ['-L', `${range.start},${range.end}`] : []), commit, '--', entry.path]
  const parts = readParts(await blame(repo, args))
  const commits = await readCommitsBySha(
    repo,
    parts.map(({ sha }) => sha)
  )

  return parts.map(({ sha, lines }) => ({ commit: presentCommit(commits.get(sha)!, { projectUrl }), lines }))
}

async function blame(repo: GitDirectory, args: string[]) {
  try {
    return await repo.text(args, { env: literalPaths })
  } catch (error) {
    // The range begins after the last line.
    if (error instanceof GitFailed) throw new NotFound('range')
    throw error
  }
}

/** Porcelain: a line `sha original final`, lines about the commit, then the line itself after a tab. */
function readParts(output: string) {
  const parts: Part[] = []
  let sha = ''

  for (const line of output.split('\n')) {
    if (line.startsWith('\t')) {
      if (parts.at(-1)?.sha !== sha) parts.push({ sha, lines: [] })
      parts.at(-1)!.lines.push(line.slice(1))
    } else sha = /^([0-9a-f]{40}) \d/.exec(line)?.[1] ?? sha
  }

  return parts
}
