import type { Readable } from 'node:stream'
import type { GitDirectory } from '#platform/git/git-directory.ts'

const maxMs = 2000
const maxBytes = 33_554_432
const maxPath = 65_536

/** Paths come after their commit, which looks like none: they do not begin with a slash. Titles are cut, as their authors choose the length. */
const format = '--format=/%H %at %<(100,trunc)%s'
const args = ['--literal-pathspecs', 'log', '-z', format, '--name-only', '--no-renames', '--diff-merges=combined']

export interface LastCommit {
  id: string
  title: string
  at: Date
}

/**
 * Walks the history of a directory back from a commit until the last change of each of these entries is found, the time is over, or too
 * much was read. The commit of each, by name.
 */
export function walkChanges(repo: GitDirectory, sha: string, path: string, names: string[]) {
  return repo.git.commands.use(async () => {
    const search = new Search(path, names)
    const child = repo.start([...args, sha, '--', ...(path === '' ? [] : [path])], ['ignore', 'pipe', 'ignore'])
    const ended = new Promise(resolve => child.once('close', resolve).once('error', resolve))
    const timer = setTimeout(() => child.kill('SIGKILL'), maxMs)

    try {
      await search.readAll(child.stdout!)
    } finally {
      clearTimeout(timer)
      child.kill('SIGKILL')
      await ended
    }

    return search.found
  })
}

class Search {
  found = new Map<string, LastCommit>()
  #missing: Set<string>
  #prefix: string
  #commit = ''

  constructor(path: string, names: string[]) {
    this.#missing = new Set(names)
    this.#prefix = path === '' ? '' : `${path}/`
  }

  async readAll(output: Readable) {
    let rest = ''
    let bytes = 0

    for await (const chunk of output.setEncoding('utf8') as AsyncIterable<string>) {
      const parts = (rest + chunk).split('\0')

      rest = parts.pop()!
      bytes += chunk.length
      for (const part of parts) this.#read(part)
      if (this.#missing.size === 0 || bytes > maxBytes || rest.length > maxPath) return
    }
  }

  /** A commit, or a path; git writes a line break before the first one of a commit. */
  #read(part: string) {
    if (part.startsWith('/')) this.#commit = part
    else this.#readPath(part.replace(/^\n/, ''))
  }

  #readPath(path: string) {
    const name = path.slice(this.#prefix.length).split('/', 1)[0]!

    if (this.#missing.delete(name)) this.found.set(name, toCommit(this.#commit))
  }
}

function toCommit(line: string): LastCommit {
  const [, id = '', seconds, title = ''] = /^\/(\w+) (\d+) (.*)$/.exec(line) ?? []
  const at = new Date(Number(seconds) * 1000)

  // Commits may hold dates that do not exist.
  return { id, title: title.trim(), at: Number.isNaN(at.getTime()) ? new Date(0) : at }
}
