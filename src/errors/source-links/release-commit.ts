import type { GitDirectory } from '#platform/git/git-directory.ts'
import { resolveCommit } from '#repositories/objects/resolve.ts'

/** The code that a release was built from. */
export interface ReleaseCode {
  /** The commit in the repository of the project; undefined when that is empty. */
  sha: string | undefined
  /** For the pattern of source links: the commit that the client sent or the repository has, or else a branch. */
  commit: string
  /** The tag or commit that was found, or else a branch. */
  ref: string
  /** The branch whose latest commit stands in for that of the release, which is not known here. */
  branch: string | undefined
}

interface Release {
  version: string | null
  /** As a client named it. */
  commit: string | null
}

const shaAtEnd = /(?:^|[@+])([0-9a-f]{7,40})$/i
/** Whole, or with a letter: what has only digits is rather a date or a build. */
const certainSha = /^(?=.*[a-f]|.{40}$)[0-9a-f]+$/i

/** Finds the commit that the client named, that the version names, or that has a tag with its name. */
export async function findReleaseCode(repo: GitDirectory | undefined, release: Release, branch: string): Promise<ReleaseCode> {
  const named = [release.commit, shaAtEnd.exec(release.version ?? '')?.[1]].map(sha => sha?.toLowerCase()).filter(sha => sha !== undefined)

  for (const name of named) {
    const sha = await resolveCommit(repo, name)

    // A branch can have such a name, too.
    if (sha?.startsWith(name)) return { sha, commit: sha, ref: sha, branch: undefined }
  }
  const tag = await findTag(repo, release.version ?? '')

  if (tag) return { sha: tag.sha, commit: tag.sha, ref: tag.name, branch: undefined }
  const head = await resolveCommit(repo, `refs/heads/${branch}`)
  const elsewhere = named.find(name => certainSha.test(name))

  return { sha: head, commit: elsewhere ?? head ?? branch, ref: elsewhere ?? branch, branch }
}

/** `shop@1.0.0` is tagged as that, `vshop@1.0.0`, `1.0.0` or `v1.0.0`. */
async function findTag(repo: GitDirectory | undefined, version: string) {
  const names = [version, version.slice(version.lastIndexOf('@') + 1)].flatMap(name => [
    name,
    name.replace(/^(?!v)|^v/i, v => (v ? '' : 'v'))
  ])
  const tags = await Promise.all(
    [...new Set(names)].filter(Boolean).map(async name => ({ name, sha: await resolveCommit(repo, `refs/tags/${name}`) }))
  )

  for (const { name, sha } of tags) if (sha) return { name, sha }

  return undefined
}
