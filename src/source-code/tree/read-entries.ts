import type { GitDirectory } from '../../platform/git/git-directory.ts'
import { isFilePath } from '../../platform/git/names.ts'
import { literalPaths } from '../commits/read-commits.ts'

export interface TreeEntry {
  mode: string
  type: string
  sha: string
  path: string
}

/** Keeps the arguments of a command below the limit of the system. */
const maxPaths = 100

/** The entries of a tree at these paths. Paths that do not exist or cannot are left out, and so are directories that others of the paths lie in. */
export async function readEntries(repo: GitDirectory, treeish: string, paths: string[]) {
  const rest = [...new Set(paths.filter(isFilePath))]
  const entries: TreeEntry[] = []

  while (rest.length > 0) {
    const args = ['ls-tree', '-z', '--full-tree', treeish, '--', ...rest.splice(0, maxPaths)]

    entries.push(...parseEntries(await repo.run(args, { env: literalPaths })))
  }

  return entries
}

export function parseEntries(output: Buffer): TreeEntry[] {
  const lines = output.toString().split('\0').slice(0, -1)

  return lines.map(line => {
    const at = line.indexOf('\t')
    const [mode = '', type = '', sha = ''] = line.slice(0, at).split(' ')

    return { mode, type, sha, path: line.slice(at + 1) }
  })
}
