import Type, { type Static } from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { truncateStorable } from '#lib/storable-text.ts'
import { maxCommits, maxMessage, type ReleaseCommit, readPaths } from '../releases/commit-store.ts'
import type { OrganizationProject } from './organization-projects.ts'

const Name = Nullable(Type.String())

const Commit = Type.Object({
  repository: Type.Optional(Name),
  id: Type.Optional(Name),
  message: Type.Optional(Name),
  author_name: Type.Optional(Name),
  author_email: Type.Optional(Name),
  timestamp: Type.Optional(Name),
  patch_set: Type.Optional(Nullable(Type.Array(Type.Object({ path: Type.Optional(Name) }), { maxItems: 10_000 })))
})

/** How `sentry-cli releases set-commits` names the commit of a release: `refs`, or `commits` with the latest first. */
export const commitFields = {
  ref: Type.Optional(Name),
  refs: Type.Optional(
    Type.Array(Type.Object({ repository: Type.Optional(Name), commit: Type.Optional(Name) }), {
      description: 'The commit of the release in each repository. A project takes that of the repository with its path, or else the first.'
    })
  ),
  commits: Type.Optional(
    Type.Array(Commit, { maxItems: 10_000, description: 'The commits of the release, the latest first; the first thousand are stored.' })
  )
}

type Sent = Static<Type.TObject<typeof commitFields>>

/** The commit of the release in each project. Names of branches are none: they change. */
export function commitsOf(projects: OrganizationProject[], { ref, refs = [], commits = [] }: Sent) {
  const named = [
    ...refs.map(({ repository, commit }) => ({ repository, sha: commit })),
    ...commits.map(({ repository, id }) => ({ repository, sha: id })),
    { repository: undefined, sha: ref }
  ].filter(({ sha }) => /^[0-9a-f]{7,40}$/i.test(sha ?? ''))
  const pairs = projects.map(project => [project.id, (named.find(one => isOf(project, one.repository)) ?? named[0])?.sha] as const)

  return new Map(pairs.filter((pair): pair is [number, string] => typeof pair[1] === 'string'))
}

/** The commits to store; undefined when the client sent none. */
export function readCommits({ commits }: Sent): ReleaseCommit[] | undefined {
  return commits
    ?.filter(({ id }) => id)
    .slice(0, maxCommits)
    .map(({ id, repository, message, author_name: name, author_email: email, timestamp, patch_set: files }) => ({
      sha: truncateStorable(id!, 64),
      repository: truncateStorable(repository ?? '', 255),
      authorName: truncateStorable(name ?? '', 255),
      authorEmail: truncateStorable(email ?? '', 255),
      message: truncateStorable(message ?? '', maxMessage),
      committedAt: timeOrNull(timestamp),
      paths: readPaths((files ?? []).map(({ path }) => path))
    }))
}

function timeOrNull(text: string | null | undefined) {
  const time = new Date(text ?? Number.NaN)

  return Number.isNaN(time.getTime()) ? null : time
}

function isOf({ fullPath, slug }: OrganizationProject, repository: string | null | undefined) {
  const name = repository?.toLowerCase()

  return name === fullPath.toLowerCase() || name === slug.toLowerCase()
}
