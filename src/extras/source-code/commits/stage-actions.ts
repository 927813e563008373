import { InvalidInput } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isFilePath } from '#platform/git/names.ts'
import { readEntries } from '#repositories/objects/read-entries.ts'
import type { TreeEntry } from '#repositories/objects/tree-entry.ts'
import { lastCommitOf } from './last-commit-of.ts'

export interface FileAction {
  action: 'create' | 'update' | 'delete' | 'move' | 'chmod'
  path: string
  /** Only for a move. */
  previousPath?: string
  content?: Buffer
  /** Fails when the file was changed after this commit. */
  lastCommitId?: string
  isExecutable?: boolean
}

type File = Pick<TreeEntry, 'mode' | 'sha'>

/** The files that a commit touches, as the actions so far have made them. */
interface Stage {
  repo: GitDirectory
  /** Null for one that is gone. */
  files: Map<string, File | null>
  directories: Set<string>
}

/** Stores the contents. Returns the entries for `git update-index --index-info`, which would replace directories by files. */
export async function stageActions(repo: GitDirectory, parent: string | undefined, actions: FileAction[]) {
  const paths = actions.flatMap(({ path, previousPath }) => (previousPath === undefined ? [path] : [path, previousPath]))

  if (!paths.every(isFilePath)) throw new InvalidInput('file_path should be a valid file path')
  const stage = await openStage(repo, parent, paths, actions)

  for (const action of actions) {
    await checkUnchanged(repo, parent, action)
    await verbs[action.action](stage, action)
  }
  const lines = [...new Set(paths)].map(path => toLine(path, stage.files.get(path)))

  // Deleted files come first: a directory may take the name of one.
  return lines.toSorted((one, other) => Number(other.startsWith('0')) - Number(one.startsWith('0'))).join('')
}

async function openStage(repo: GitDirectory, parent: string | undefined, paths: string[], actions: FileAction[]): Promise<Stage> {
  if (!parent) return { repo, files: new Map(), directories: new Set() }
  const targets = actions.filter(({ action }) => action === 'create' || action === 'move').map(({ path }) => path)
  const entries = await readEntries(repo, parent, [...paths, ...targets.flatMap(parentsOf)])
  const found = targets.length > 0 ? await readEntries(repo, parent, targets) : []

  return {
    repo,
    files: new Map(entries.filter(({ type }) => type === 'blob').map(entry => [entry.path, entry])),
    directories: new Set(found.filter(({ type }) => type !== 'blob').map(({ path }) => path))
  }
}

const verbs: Record<FileAction['action'], (stage: Stage, action: FileAction) => Promise<void>> = {
  async create(stage, { path, content = Buffer.alloc(0), isExecutable }) {
    checkFree(stage, path)
    stage.files.set(path, { mode: modeOf(isExecutable), sha: await store(stage.repo, content) })
  },
  async update(stage, { path, content, isExecutable }) {
    const { mode, sha } = fileAt(stage, path)

    stage.files.set(path, {
      mode: isExecutable === undefined ? mode : modeOf(isExecutable),
      sha: content ? await store(stage.repo, content) : sha
    })
  },
  async delete(stage, { path }) {
    fileAt(stage, path)
    stage.files.set(path, null)
  },
  async move(stage, { path, previousPath = '', content }) {
    const { mode, sha } = fileAt(stage, previousPath)

    stage.files.set(previousPath, null)
    checkFree(stage, path)
    stage.files.set(path, { mode, sha: content ? await store(stage.repo, content) : sha })
  },
  async chmod(stage, { path, isExecutable }) {
    stage.files.set(path, { ...fileAt(stage, path), mode: modeOf(isExecutable) })
  }
}

function fileAt({ files }: Stage, path: string) {
  const file = files.get(path)

  if (!file) throw new InvalidInput("A file with this name doesn't exist")

  return file
}

function checkFree({ files, directories }: Stage, path: string) {
  const isDirectory = directories.has(path) || [...files].some(([other, file]) => file && other.startsWith(`${path}/`))

  if (isDirectory) throw new InvalidInput('A directory with this name already exists')
  if ([path, ...parentsOf(path)].some(path => files.get(path))) throw new InvalidInput('A file with this name already exists')
}

/** The parent directories of a path. */
function parentsOf(path: string) {
  const names = path.split('/').slice(0, -1)

  return names.map((_, n) => names.slice(0, n + 1).join('/'))
}

function modeOf(isExecutable = false) {
  return isExecutable ? '100755' : '100644'
}

function store(repo: GitDirectory, content: Buffer) {
  return repo.text(['hash-object', '-w', '--no-filters', '--stdin'], { input: content })
}

/** Mode 0 removes the entry. */
function toLine(path: string, file: File | null | undefined) {
  return file ? `${file.mode} ${file.sha}\t${path}\0` : `0 ${'0'.repeat(40)}\t${path}\0`
}

async function checkUnchanged(repo: GitDirectory, parent: string | undefined, { path, previousPath, lastCommitId }: FileAction) {
  if (!lastCommitId || !parent || (await lastCommitOf(repo, parent, previousPath ?? path)) === lastCommitId) return
  throw new InvalidInput('You are attempting to update a file that has changed since you started editing it.')
}
