import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isFilePath } from '#platform/git/names.ts'
import { literalPaths } from './read-commits.ts'
import { parseEntries, type TreeEntry } from './tree-entry.ts'

/** Keeps the arguments of a command below the limit of the system. */
const maxPaths = 100

/** The entries of a tree at these paths. Paths that do not exist or cannot are left out, and so are directories that contain others of the paths. */
export async function readEntries(repo: GitDirectory, treeish: string, paths: string[]) {
  const rest = [...new Set(paths.filter(isFilePath))]
  const entries: TreeEntry[] = []

  while (rest.length > 0) {
    const args = ['ls-tree', '-z', '--full-tree', treeish, '--', ...rest.splice(0, maxPaths)]

    entries.push(...parseEntries(await repo.run(args, { env: literalPaths })))
  }

  return entries
}
