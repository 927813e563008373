import { NotFound } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { readEntries } from '#repositories/objects/read-entries.ts'
import { parseEntries } from '#repositories/objects/tree-entry.ts'

const maxBytes = 67_108_864
const order = ['tree', 'blob', 'commit']

/** The contents of a directory: directories first, or, when recursive, in git's order. */
export async function listTree(repo: GitDirectory, commit: string, path: string, isRecursive: boolean) {
  const folder = path.replaceAll(/^[/.]{0,9}|\/{0,9}$/g, '')
  const tree = folder === '' ? commit : await findTree(repo, commit, folder)
  const entries = parseEntries(await repo.run(['ls-tree', '-z', ...(isRecursive ? ['-r', '-t'] : []), tree], { maxBytes }))
  const full = entries.map(entry => ({ ...entry, path: folder === '' ? entry.path : `${folder}/${entry.path}` }))

  return isRecursive ? full : full.toSorted((one, other) => order.indexOf(one.type) - order.indexOf(other.type))
}

async function findTree(repo: GitDirectory, commit: string, folder: string) {
  const [entry] = await readEntries(repo, commit, [folder])

  if (entry?.type !== 'tree') throw new NotFound('invalid revision or path')

  return entry.sha
}
