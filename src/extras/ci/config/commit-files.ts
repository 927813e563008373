import type { GitDirectory } from '#platform/git/git-directory.ts'
import { readEntries } from '#repositories/objects/read-entries.ts'
import { InvalidConfig } from './invalid-config.ts'
import { maxYamlBytes } from './max-yaml-bytes.ts'

const maxListBytes = 16_777_216

/** A file of a commit; undefined when there is none. */
export async function readFile(repo: GitDirectory, sha: string, path: string) {
  const [entry] = await readEntries(repo, sha, [path])

  if (entry?.type !== 'blob') return undefined
  const size = Number(await repo.text(['cat-file', '-s', entry.sha]))

  if (size > maxYamlBytes) throw new InvalidConfig(`${path}: the file is larger than ${maxYamlBytes / 1_048_576} MiB`)

  return (await repo.run(['cat-file', 'blob', entry.sha], { maxBytes: maxYamlBytes + 1 })).toString()
}

/** All files of a commit, as git prints them. */
export async function listFiles(repo: GitDirectory, sha: string): Promise<Uint8Array> {
  return repo.run(['ls-tree', '-r', '-z', '--full-tree', sha], { maxBytes: maxListBytes })
}
