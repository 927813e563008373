import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { bidirectionalPage } from '../../http/pagination/keyset.ts'
import { writeTime } from '../../http/parameters/time.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { Role } from '../../projects/members/member.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { findRelease, listReleases, type ReleaseRow } from './find-releases.ts'
import { adoptionOf, crashFreeRate, type Health, healthOf, healthSeries, noSessions } from './release-health.ts'
import { OneReleaseShape, ReleaseParams, ReleaseQuery, ReleaseShape, ReleasesQuery } from './release-schemas.ts'

export const releaseRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List releases and their health, newest first',
        params: ProjectId,
        querystring: ReleasesQuery,
        response: { 200: Type.Array(ReleaseShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { environment, sort } = request.query
      const { id: projectId } = await findMonitoredProject(em, callerOf(request), request.params.id, Role.developer)
      const isAscending = sort === 'first_seen_asc'
      const page = await bidirectionalPage<ReleaseRow, [string, string]>(request, reply, {
        shape: ['time', 'text'],
        positionOf: release => [writeTime(release.first_seen_at), release.version],
        list: (after, isBackwards, limit) => listReleases(em, projectId, { isAscending: isAscending !== isBackwards, after, limit })
      })
      const versions = page.map(({ version }) => version)
      const health = await healthOf(em, projectId, versions, environment)
      const adoption = await adoptionOf(em, projectId, environment, new Date())

      return page.map(release => presentRelease(release, health.get(release.version), adoption(release.version)))
    }
  )

  app.get(
    `${path}/:version`,
    {
      ...guard,
      schema: {
        summary: 'Get a release and its health in each environment',
        params: ReleaseParams,
        querystring: ReleaseQuery,
        response: { 200: OneReleaseShape }
      }
    },
    async request => {
      const em = fork()
      const { stats_period: period = '24h' } = request.query
      const { id: projectId } = await findMonitoredProject(em, callerOf(request), request.params.id, Role.developer)
      const release = await findRelease(em, projectId, request.params.version)

      if (!release) throw new NotFound('Release')
      const now = new Date()
      const health = await healthOf(em, projectId, [release.version])
      const adoption = await adoptionOf(em, projectId, undefined, now)
      const series = await healthSeries(em, projectId, release.version, period, now)

      return {
        ...presentRelease(release, health.get(release.version), adoption(release.version)),
        environments: series.map(({ environment, points }) => ({
          environment,
          series: points.map(({ at, ...health }) => ({ at: at.toISOString(), ...presentHealth(health) }))
        }))
      }
    }
  )
}

function presentRelease({ version, first_seen_at, last_seen_at }: ReleaseRow, health: Health = noSessions, adoption: number | null) {
  return {
    version,
    first_seen_at: writeTime(first_seen_at),
    last_seen_at: writeTime(last_seen_at),
    ...presentHealth(health),
    adoption_24h: adoption
  }
}

function presentHealth(health: Health) {
  const { started, errored, crashed, abnormal } = health

  return { sessions: started, errored, crashed, abnormal, crash_free_rate: crashFreeRate(health) }
}
