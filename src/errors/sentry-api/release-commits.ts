import Type, { type Static } from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import type { OrganizationProject } from './organization-projects.ts'

const Name = Nullable(Type.String())

/** How `sentry-cli releases set-commits` names the commit of a release: `refs`, or `commits` with the latest first. */
export const commitFields = {
  ref: Type.Optional(Name),
  refs: Type.Optional(
    Type.Array(Type.Object({ repository: Type.Optional(Name), commit: Type.Optional(Name) }), {
      description: 'The commit of the release in each repository. A project takes that of the repository with its path, or else the first.'
    })
  ),
  commits: Type.Optional(
    Type.Array(Type.Object({ repository: Type.Optional(Name), id: Type.Optional(Name) }), {
      description: 'The commits of the release, the latest first.'
    })
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

function isOf({ fullPath, slug }: OrganizationProject, repository: string | null | undefined) {
  const name = repository?.toLowerCase()

  return name === fullPath.toLowerCase() || name === slug.toLowerCase()
}
