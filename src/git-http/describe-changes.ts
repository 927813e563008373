import { storableText } from '#lib/storable-text.ts'
import type { Git } from '#platform/git/git.ts'
import { GitFailed, GitTimedOut } from '#platform/git/git-errors.ts'
import type { RefChange } from './jobs.ts'

interface Pushed {
  git: Git
  /** Undefined when the repository was deleted in the meantime. */
  directory: string | undefined
  defaultBranch: string
}

const maxTitle = 70

/** Changes of one kind have the same action on the same type of reference. */
export function kindOf(change: RefChange) {
  return `${actionOf(change)}-${typeOf(change)}`
}

/** The `push_data` of an event. */
export async function describeChange(pushed: Pushed, change: RefChange) {
  const { ref, before, after } = change
  const isRemoved = isMissing(after)

  return {
    commit_count: isRemoved ? 0 : await countCommits(pushed, change),
    action: actionOf(change),
    ref_type: typeOf(change),
    commit_from: isMissing(before) ? null : before,
    commit_to: isRemoved ? null : after,
    ref: storableText(ref.replace(/^refs\/(heads|tags)\//, '')),
    commit_title: isRemoved ? null : await titleOf(pushed, after)
  }
}

/** The `push_data` of an event for many changes of one kind. */
export function describeMany(changes: RefChange[]) {
  const [first] = changes as [RefChange]

  return { commit_count: 0, action: actionOf(first), ref_type: typeOf(first), ref_count: changes.length }
}

/** A new branch counts its commits that the default branch lacks, and a tag is one. */
async function countCommits(pushed: Pushed, { ref, before, after }: RefChange) {
  if (ref.startsWith('refs/tags/')) return 1
  const base = isMissing(before) ? `refs/heads/${pushed.defaultBranch}` : before
  const hasBase = base !== ref && (await find(pushed, ['rev-parse', '--verify', '--quiet', `${base}^{commit}`]))
  const count = await find(pushed, ['rev-list', '--count', after, ...(hasBase ? ['--not', base] : []), '--'])

  return Number(count ?? 0)
}

async function titleOf(pushed: Pushed, sha: string) {
  const title = await find(pushed, ['log', '-1', '--format=%s', `${sha}^{commit}`, '--'])

  if (title === undefined) return null

  return storableText(title.length > maxTitle ? `${title.slice(0, maxTitle - 3)}...` : title)
}

/** The output; undefined when git does not know the object, or takes too long. */
async function find({ git, directory }: Pushed, args: string[]) {
  if (directory === undefined) return undefined

  try {
    return await git.text(directory, args)
  } catch (error) {
    if (error instanceof GitFailed || error instanceof GitTimedOut) return undefined
    throw error
  }
}

function actionOf({ before, after }: RefChange) {
  return isMissing(before) ? 'created' : isMissing(after) ? 'removed' : 'pushed'
}

function typeOf({ ref }: RefChange) {
  return ref.startsWith('refs/tags/') ? 'tag' : 'branch'
}

function isMissing(sha: string) {
  return /^0+$/.test(sha)
}
