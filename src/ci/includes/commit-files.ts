import type { GitDirectory } from '../../platform/git/git-directory.ts'
import { readEntries } from '../../source-code/tree/read-entries.ts'
import { InvalidConfig } from '../config/invalid-config.ts'
import { maxYamlBytes } from '../yaml/parse-yaml.ts'
import type { ConfigFiles } from './config-files.ts'

const maxListBytes = 16_777_216

/** The files of a commit. */
export function filesOf(repo: GitDirectory, sha: string): ConfigFiles {
  let paths: Promise<string[]> | undefined

  return { read, list: () => (paths ??= list()) }

  async function read(path: string) {
    const [entry] = await readEntries(repo, sha, [path])

    if (entry?.type !== 'blob') return undefined
    const size = Number(await repo.text(['cat-file', '-s', entry.sha]))

    if (size > maxYamlBytes) throw new InvalidConfig(`${path}: the file is larger than ${maxYamlBytes / 1_048_576} MiB`)

    return (await repo.run(['cat-file', 'blob', entry.sha], { maxBytes: maxYamlBytes + 1 })).toString()
  }

  async function list() {
    const output = await repo.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', sha], { maxBytes: maxListBytes })

    return output.toString().split('\0').slice(0, -1)
  }
}
