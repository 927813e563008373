import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { latestCommits } from '../releases/commit-store.ts'
import type { DeployRow } from '../releases/deploy-store.ts'
import { latestDeploys } from '../releases/deploy-store.ts'
import { countErrors } from '../releases/release-store.ts'
import type { SentryRelease } from './list-releases.ts'
import type { OrganizationProject } from './organization-projects.ts'

export const SentryDeploy = Type.Object({
  id: Type.String(),
  environment: Type.String(),
  name: Nullable(Type.String()),
  url: Nullable(Type.String()),
  dateStarted: Nullable(Type.String()),
  dateFinished: Type.String()
})

export const SentryReleaseShape = Type.Object({
  id: Type.String(),
  version: Type.String(),
  shortVersion: Type.String(),
  status: Type.String(),
  url: Nullable(Type.String()),
  dateCreated: Type.String(),
  dateReleased: Nullable(Type.String()),
  firstEvent: Nullable(Type.String()),
  lastEvent: Nullable(Type.String()),
  newGroups: Type.Integer(),
  commitCount: Type.Integer(),
  lastCommit: Nullable(Type.Object({ id: Type.String(), message: Type.String(), dateCreated: Type.String() })),
  deployCount: Type.Integer(),
  lastDeploy: Nullable(SentryDeploy),
  projects: Type.Array(Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }))
})

/** Releases in Sentry's format. `projects` are those that the caller may see. */
export async function presentReleases(em: EntityManager, releases: SentryRelease[], projects: OrganizationProject[]) {
  const ids = projects.map(({ id }) => id)
  const versions = releases.map(({ version }) => version)
  const deploys = await latestDeploys(em, ids, versions)
  const commits = await latestCommits(em, ids, versions)
  const errors = await countErrors(em, ids, versions)

  return releases.map(release => {
    const { version } = release
    const deploy = deploys.get(version)
    const commit = commits.get(version)
    const hasErrors = errors.has(version)

    return {
      id: String(release.id),
      version,
      shortVersion: version.slice(version.lastIndexOf('@') + 1) || version,
      status: release.is_archived ? 'archived' : 'open',
      url: release.url,
      dateCreated: writeTime(release.first_seen_at),
      dateReleased: release.released_at && writeTime(release.released_at),
      firstEvent: hasErrors ? writeTime(release.first_seen_at) : null,
      lastEvent: hasErrors ? writeTime(release.last_seen_at) : null,
      newGroups: errors.get(version)?.new ?? 0,
      commitCount: commit?.count ?? 0,
      lastCommit: commit
        ? { id: commit.sha, message: commit.message, dateCreated: writeTime(commit.committedAt ?? release.first_seen_at) }
        : null,
      deployCount: deploy?.count ?? 0,
      lastDeploy: deploy ? presentDeploy(deploy) : null,
      projects: projects.filter(({ id }) => release.project_ids.includes(id)).map(presentProject)
    }
  })
}

export function presentDeploy({ id, environment, name, url, started_at, finished_at }: DeployRow) {
  return {
    id: String(id),
    environment,
    name,
    url,
    dateStarted: started_at && writeTime(started_at),
    dateFinished: writeTime(finished_at)
  }
}

function presentProject({ id, slug, name }: OrganizationProject) {
  return { id: String(id), slug, name }
}
