import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isRefName } from '#platform/git/names.ts'

export interface Ref {
  name: string
  /** What it points to: of a tag perhaps an object of its own. */
  target: string
  /** The commit. Undefined for a tag of something else. */
  commit: string | undefined
}

const format = '--format=%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)'

type Prefix = 'refs/heads/' | 'refs/tags/'

/** Branches or tags whose names contain a text. GitLab's `^` and `$` bind it to the start and the end. */
export async function listRefs(repo: GitDirectory, prefix: Prefix, { search = '', sort = 'refname' } = {}) {
  const output = await repo.text(['for-each-ref', `--sort=${sort}`, format, prefix], { maxBytes: 67_108_864 })
  const matches = matcher(search)

  return output
    .split('\n')
    .filter(Boolean)
    .map(line => toRef(line, prefix))
    .filter(({ name }) => matches(name.toLowerCase()))
}

/** The branch or tag of this name. */
export async function findRef(repo: GitDirectory | undefined, prefix: Prefix, name: string) {
  if (!repo || !isRefName(name)) return undefined
  const lines = (await repo.text(['for-each-ref', format, `${prefix}${name}`])).split('\n').filter(Boolean)

  // Git also lists what is below: `a/b` for `a`.
  return lines.map(line => toRef(line, prefix)).find(ref => ref.name === name)
}

function toRef(line: string, prefix: string): Ref {
  const [ref = '', target = '', type = '', peeled = '', peeledType = ''] = line.split('\0')
  const commit = type === 'commit' ? target : peeledType === 'commit' ? peeled : undefined

  return { name: ref.slice(prefix.length), target, commit }
}

function matcher(search: string) {
  const text = search.toLowerCase().replace(/^\^/, '').replace(/\$$/, '')
  const [isStart, isEnd] = [search.startsWith('^'), search.endsWith('$')]

  return (name: string) => {
    if (isStart && isEnd) return name === text
    if (isStart) return name.startsWith(text)

    return isEnd ? name.endsWith(text) : name.includes(text)
  }
}
