import { hash } from 'node:crypto'
import { NotFound, Unprocessable } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { readEntries } from '#repositories/objects/read-entries.ts'
import { requireCommit } from '#repositories/objects/resolve.ts'
import type { TreeEntry } from '#repositories/objects/tree-entry.ts'
import { lastCommitOf } from '../commits/last-commit-of.ts'

/** Contents that are answered within JSON. */
const maxBytes = 10_485_760

export interface FileAt {
  repo: GitDirectory
  /** The commit that it was looked up in. */
  commit: string
  entry: TreeEntry
  size: number
}

export async function findFile(own: GitDirectory | undefined, revision: string, path: string): Promise<FileAt> {
  const { repo, sha: commit } = await requireCommit(own, revision)
  const [entry] = await readEntries(repo, commit, [path])

  if (entry?.type !== 'blob') throw new NotFound('File')

  return { repo, commit, entry, size: await sizeOf(repo, entry.sha) }
}

/** As GitLab shows it, with the content in base64. */
export async function describeFile({ repo, commit, entry, size }: FileAt, ref: string) {
  const content = await readBlob(repo, entry.sha, size)

  return {
    file_name: nameOf(entry.path),
    file_path: entry.path,
    size,
    encoding: 'base64',
    content: content.toString('base64'),
    content_sha256: hash('sha256', content),
    ref,
    blob_id: entry.sha,
    commit_id: commit,
    last_commit_id: await lastCommitOf(repo, commit, entry.path),
    execute_filemode: entry.mode === '100755'
  }
}

export async function readBlob(repo: GitDirectory, sha: string, size: number) {
  if (size > maxBytes) throw new Unprocessable(`the file is larger than ${maxBytes / 1_048_576} MiB: use the raw file`)

  return repo.run(['cat-file', 'blob', sha], { maxBytes: maxBytes + 1 })
}

async function sizeOf(repo: GitDirectory, sha: string) {
  return Number(await repo.text(['cat-file', '-s', sha]))
}

export function nameOf(path: string) {
  return path.slice(path.lastIndexOf('/') + 1)
}
