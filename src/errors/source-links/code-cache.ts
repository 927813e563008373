import { LoadingCache } from '#platform/cache/loading-cache.ts'
import type { Listener } from '#platform/database/listener.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { GitFailed, GitOutputTooLarge, GitTimedOut } from '#platform/git/git-errors.ts'
import { FileList } from './file-list.ts'
import { findLineChange, type LineChange } from './line-change.ts'

/** Some 100,000 files. */
const maxListBytes = 8_388_608
const maxBytes = 33_554_432
/** A page does not wait that long, but the next one finds the list. */
const timeoutMs = 5000
/** Commits do not change. What git could not answer is asked again later, so that slow repositories cost few processes. */
const times = { seconds: 3600, absentSeconds: 300 }

/** What git said about the files of commits. Concurrent questions share one process. */
export class CodeCache {
  #lists: LoadingCache<FileList>
  #changes: LoadingCache<LineChange>

  constructor(listener: Listener) {
    this.#lists = new LoadingCache(listener, {
      name: 'file-lists',
      max: 100,
      size: { maxBytes, of: ({ bytes }: FileList) => bytes },
      ...times
    })
    this.#changes = new LoadingCache(listener, { name: 'line-changes', max: 5000, ...times })
  }

  async list(repo: GitDirectory, sha: string) {
    const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', sha]

    return this.#lists.get(`${repo.path} ${sha}`, () =>
      answered(async () => new FileList(await repo.run(args, { maxBytes: maxListBytes, timeoutMs })))
    )
  }

  async change(repo: GitDirectory, at: { sha: string; path: string; line: number }) {
    return this.#changes.get(`${repo.path} ${at.sha} ${at.line} ${at.path}`, () => answered(() => findLineChange(repo, at)))
  }
}

/** Undefined when git has no answer, or none within its limits. */
async function answered<T>(ask: () => Promise<T>) {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof GitFailed || error instanceof GitTimedOut || error instanceof GitOutputTooLarge) return undefined
    throw error
  }
}
