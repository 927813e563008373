import Type from 'typebox'
import { listReleases as findReleases, type ReleaseRow } from '../../error-tracking/releases/find-releases.ts'
import { crashFreeRate, healthOf, noSessions } from '../../error-tracking/releases/release-health.ts'
import { findMonitoredProject } from '../../error-tracking/settings/find-monitored-project.ts'
import { writeTime } from '../../http/parameters/time.ts'
import { Role } from '../../projects/members/member.ts'
import { compact } from '../markdown/markdown.ts'
import { defineTool, page, paging, project } from '../tool.ts'

export const listReleases = defineTool({
  name: 'list_releases',
  title: 'List releases',
  description:
    'Lists the releases of a project that sent events, newest first, with sessions and the share of sessions that did not crash.',
  input: Type.Object({ ...project, ...paging }),
  async run({ em, viewer }, { project, ...paging }) {
    const { id: projectId } = await findMonitoredProject(em, viewer, project, Role.developer)
    const { rows, next_cursor } = await page<ReleaseRow, [string, string]>(paging, {
      shape: ['time', 'text'],
      positionOf: release => [writeTime(release.first_seen_at), release.version],
      list: (after, limit) => findReleases(em, projectId, { isAscending: false, after, limit })
    })
    const health = await healthOf(
      em,
      projectId,
      rows.map(({ version }) => version)
    )
    const releases = rows.map(({ version, first_seen_at, last_seen_at }) => {
      const sessions = health.get(version) ?? noSessions
      const times = { first_seen_at: writeTime(first_seen_at), last_seen_at: writeTime(last_seen_at) }

      return compact({ version, ...times, sessions: sessions.started || undefined, crash_free_rate: crashFreeRate(sessions) })
    })
    const text = releases.map(({ version, ...rest }) => `- ${version}: ${JSON.stringify(rest)}`).join('\n')

    return { text: text || 'No releases.', data: { releases, next_cursor } }
  }
})
