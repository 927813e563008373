import Type from 'typebox'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { GitOutputTooLarge } from '#platform/git/git-errors.ts'

export const DiffShape = Type.Object({
  diff: Type.String(),
  collapsed: Type.Boolean(),
  too_large: Type.Boolean({ description: 'When true, `diff` is empty.' }),
  new_path: Type.String(),
  old_path: Type.String(),
  a_mode: Type.String(),
  b_mode: Type.String(),
  new_file: Type.Boolean(),
  renamed_file: Type.Boolean(),
  deleted_file: Type.Boolean(),
  generated_file: Type.Boolean()
})

interface Change {
  aMode: string
  bMode: string
  status: string
  oldPath: string
  newPath: string
}

const maxFileCharacters = 204_800
const maxBytes = 5_242_880
const command = ['diff', '--raw', '-z', '--no-abbrev', '--find-renames', '--no-color', '--no-ext-diff', '--no-textconv']

/** The tree without files, which git knows in every repository. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** What changed between two trees, file by file. Large differences are left out. */
export async function readDiff(repo: GitDirectory, from: string, to: string) {
  try {
    const output = (await repo.run([...command, '--patch', '--full-index', from, to, '--'], { maxBytes })).toString()
    const end = output.indexOf('\0\0')

    return end < 0 ? [] : presentAll(readChanges(output.slice(0, end)), output.slice(end + 2).split(/^(?=diff --git )/m))
  } catch (error) {
    if (!(error instanceof GitOutputTooLarge)) throw error

    return presentAll(readChanges((await repo.run([...command, from, to, '--'])).toString().replace(/\0$/, '')))
  }
}

/** Raw format: `:100644 100755 sha sha R100`, then one path, or two of a rename. */
function readChanges(raw: string) {
  const values = raw.split('\0')
  const changes: Change[] = []

  for (let n = 0; n < values.length - 1; ) {
    const [aMode = '', bMode = '', , , status = ''] = values[n++]!.slice(1).split(' ')
    const oldPath = values[n++]!
    const newPath = /^[RC]/.test(status) ? values[n++]! : oldPath

    changes.push({ aMode, bMode, status: status.charAt(0), oldPath, newPath })
  }

  return changes
}

/** A change of the type, such as from a file to a link, has two patches. */
function presentAll(changes: Change[], patches?: string[]) {
  let n = 0

  return changes.map(change => {
    const bodies = patches?.slice(n, n + (change.status === 'T' ? 2 : 1)).map(bodyOf)

    n += bodies?.length ?? 0

    return presentDiff(change, bodies?.join(''))
  })
}

function presentDiff({ aMode, bMode, status, oldPath, newPath }: Change, text?: string) {
  const isTooLarge = text === undefined || text.length > maxFileCharacters

  return {
    diff: isTooLarge ? '' : text,
    collapsed: false,
    too_large: isTooLarge,
    new_path: newPath,
    old_path: oldPath,
    a_mode: aMode.slice(-6),
    b_mode: bMode,
    new_file: status === 'A',
    renamed_file: status === 'R',
    deleted_file: status === 'D',
    generated_file: false
  }
}

/** Without the lines that name the file. Empty when only its name or mode changed. */
function bodyOf(patch: string) {
  const at = patch.search(/^(@@|Binary files )/m)

  return at < 0 ? '' : patch.slice(at)
}
