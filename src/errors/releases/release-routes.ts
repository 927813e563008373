import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { twoWayPage } from '#api/pagination/keyset.ts'
import { NotFound } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import { Role } from '#projects/members/member.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import type { DeployRow } from './deploy-store.ts'
import { type LatestDeploy, latestDeploys } from './deploy-store.ts'
import { findRelease, listReleases, type ReleaseRow } from './find-releases.ts'
import { adoptionOf, crashFreeRate, type Health, healthOf, healthSeries, noSessions } from './release-health.ts'
import { OneReleaseShape, ReleaseParams, ReleaseQuery, ReleaseShape, ReleasesQuery } from './release-schemas.ts'

export const releaseRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const guard = { config: { role: 'developer' as const } }

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
      const { environment, sort } = request.query
      const { id: projectId } = await findMonitoredProject(request.em, request.user, request.params.id, Role.developer)
      const page = await twoWayPage(request, reply, listReleases(request.em, projectId, sort === 'first_seen_asc' ? 'asc' : 'desc'))
      const versions = page.map(({ version }) => version)
      const health = await healthOf(request.em, projectId, versions, { environment })
      const adoption = await adoptionOf(request.em, projectId, environment, new Date())

      const deploys = await latestDeploys(request.em, [projectId], versions)

      return page.map(release => ({
        ...presentRelease(release, deploys.get(release.version)),
        ...presentHealth(health.get(release.version)),
        adoption_24h: adoption(release.version)
      }))
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
    async ({ em, user, params, query }) => {
      const { stats_period: period = '24h' } = query
      const { id: projectId } = await findMonitoredProject(em, user, params.id, Role.developer)
      const release = await findRelease(em, projectId, params.version)

      if (!release) throw new NotFound('Release')
      const now = new Date()
      const health = await healthOf(em, projectId, [release.version])
      const adoption = await adoptionOf(em, projectId, undefined, now)
      const series = await healthSeries(em, projectId, release.version, period, now)

      const deploys = await latestDeploys(em, [projectId], [release.version])

      return {
        ...presentRelease(release, deploys.get(release.version)),
        ...presentHealth(health.get(release.version)),
        adoption_24h: adoption(release.version),
        environments: series.map(({ environment, points }) => ({
          environment,
          series: points.map(({ at, ...health }) => ({ at: at.toISOString(), ...presentHealth(health) }))
        }))
      }
    }
  )
}

function presentRelease({ version, url, released_at, is_archived, first_seen_at, last_seen_at }: ReleaseRow, deploy?: LatestDeploy) {
  return {
    version,
    url,
    released_at: released_at && writeTime(released_at),
    is_archived,
    first_seen_at: writeTime(first_seen_at),
    last_seen_at: writeTime(last_seen_at),
    last_deploy: deploy ? presentDeploy(deploy) : null,
    deploy_count: deploy?.count ?? 0
  }
}

function presentDeploy({ environment, name, url, started_at, finished_at }: DeployRow) {
  return { environment, name, url, started_at: started_at && writeTime(started_at), finished_at: writeTime(finished_at) }
}

function presentHealth(health: Health = noSessions) {
  const { started, errored, crashed, abnormal } = health

  return { sessions: started, errored, crashed, abnormal, crash_free_rate: crashFreeRate(health) }
}
