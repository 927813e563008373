import type { GitDirectory } from '#platform/git/git-directory.ts'
import { literalPaths } from '#repositories/objects/read-commits.ts'

/** The last commit that changed a line. */
export interface LineChange {
  sha: string
  author: { name: string; email: string }
  at: Date
  /** The first line of its message. */
  title: string
}

const timeoutMs = 1000
const maxBytes = 1_048_576
const maxTitle = 200

/** Throws when the file has no such line, or takes too long. Undefined for files that are too large. */
export async function findLineChange(repo: GitDirectory, { sha, path, line }: { sha: string; path: string; line: number }) {
  const size = Number(await repo.text(['cat-file', '-s', `${sha}:${path}`], { timeoutMs }))

  if (size > maxBytes) return undefined
  const output = await repo.text(['blame', '--porcelain', '-L', `${line},${line}`, sha, '--', path], { env: literalPaths, timeoutMs })

  return readChange(output)
}

/** Porcelain: the sha, then `name value` lines until the line itself, which follows a tab. */
function readChange(output: string): LineChange | undefined {
  const [first = '', ...lines] = output.split('\n')
  const [sha] = /^[0-9a-f]{40}\b/.exec(first) ?? []
  const values = new Map(
    lines
      .slice(
        0,
        lines.findIndex(line => line.startsWith('\t'))
      )
      .map(splitAtSpace)
  )

  return sha === undefined
    ? undefined
    : {
        sha,
        author: { name: values.get('author') ?? '', email: values.get('author-mail')?.replace(/^<|>$/g, '') ?? '' },
        at: toTime(Number(values.get('author-time'))),
        title: (values.get('summary') ?? '').slice(0, maxTitle)
      }
}

function splitAtSpace(line: string): [name: string, value: string] {
  const at = line.indexOf(' ')

  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}

/** Commits may hold dates that do not exist. */
function toTime(seconds: number) {
  const at = new Date(seconds * 1000)

  return Number.isNaN(at.getTime()) ? new Date(0) : at
}
