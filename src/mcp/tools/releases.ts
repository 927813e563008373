import { listReleases as findReleases, type ReleaseRow } from '#errors/releases/find-releases.ts'
import { crashFreeRate, healthOf, noSessions } from '#errors/releases/release-health.ts'
import { findMonitoredProject } from '#errors/settings/find-monitored-project.ts'
import { compact } from '#lib/markdown.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { page, paging, toList } from '../page.ts'
import { defineTool, project } from '../tool.ts'

export const listReleases = defineTool({
  name: 'list_releases',
  title: 'List releases',
  description:
    'Lists the releases of a project that sent events, newest first, with sessions and the share of sessions that did not crash.',
  input: { ...project, ...paging },
  async run({ em, viewer }, { project, ...paging }) {
    const { id: projectId } = await findMonitoredProject(em, viewer, project, Role.developer)
    const releases = await page(paging, findReleases(em, projectId), rows => describe(em, projectId, rows))

    return toList('releases', releases, ({ version, ...rest }) => `- ${version}: ${JSON.stringify(rest)}`, 'No releases.')
  }
})

async function describe(em: EntityManager, projectId: number, rows: ReleaseRow[]) {
  const versions = rows.map(({ version }) => version)
  const health = await healthOf(em, projectId, versions)

  return rows.map(({ version, first_seen_at, last_seen_at }) => {
    const sessions = health.get(version) ?? noSessions
    const times = { first_seen_at: writeTime(first_seen_at), last_seen_at: writeTime(last_seen_at) }

    return compact({ version, ...times, sessions: sessions.started || undefined, crash_free_rate: crashFreeRate(sessions) })
  })
}
