import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Monitor } from '#monitors/monitor.ts'
import { type EnvironmentRow, listEnvironments } from '#monitors/overview-store.ts'
import { entityList } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { findOrganization } from './organization.ts'
import { listProjects } from './organization-projects.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

const NullableText = Type.Union([Type.String(), Type.Null()])

const MonitorShape = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  status: Type.String(),
  isMuted: Type.Boolean(),
  type: Type.String(),
  dateCreated: Type.String(),
  project: Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }),
  config: Type.Object({
    schedule_type: NullableText,
    schedule: Type.Union([Type.String(), Type.Array(Type.Union([Type.Integer(), Type.String()])), Type.Null()]),
    timezone: Type.String(),
    checkin_margin: Type.Integer(),
    max_runtime: Type.Integer(),
    failure_issue_threshold: Type.Integer(),
    recovery_threshold: Type.Integer()
  }),
  environments: Type.Array(
    Type.Object({ name: Type.String(), status: Type.String(), lastCheckIn: NullableText, nextCheckIn: NullableText })
  )
})

const maxProjects = 1000
const states = { waiting: 'active', ok: 'ok', failing: 'error' } as const

export const monitorRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/organizations/:org/monitors',
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: {
        summary: 'List the monitors of cron jobs',
        params: Type.Object({ org: Type.String() }),
        querystring: Type.Object(sentryPaging),
        response: { 200: Type.Array(MonitorShape) }
      }
    },
    async (request, reply) => {
      const organization = await findOrganization(request.em, request.user, request.params.org)
      const { read } = await listProjects(request.em, request.user, organization, Role.developer)
      const projects = new Map((await read({ limit: maxProjects })).map(project => [project.id, project]))
      const page = await sentryPage(
        request,
        reply,
        entityList(request.em, Monitor, { kind: 'cron', projectId: { $in: [...projects.keys()] } })
      )
      const ids = page.map(({ id }) => id)
      const environments = Map.groupBy(await listEnvironments(request.em, ids), ({ monitorId }) => monitorId)

      return page.map(monitor => present(monitor, projects.get(monitor.projectId)!, environments.get(monitor.id) ?? []))
    }
  )
}

function present(monitor: Monitor, { id, slug, name }: { id: number; slug: string; name: string }, environments: EnvironmentRow[]) {
  const { schedule } = monitor

  return {
    id: String(monitor.id),
    slug: monitor.slug,
    name: monitor.name,
    status: 'active',
    isMuted: monitor.isMuted,
    type: 'cron_job',
    dateCreated: monitor.createdAt.toISOString(),
    project: { id: String(id), slug, name },
    config: {
      schedule_type: schedule?.type ?? null,
      schedule: schedule ? (schedule.type === 'interval' ? [schedule.value, schedule.unit] : schedule.value) : null,
      timezone: monitor.timezone,
      checkin_margin: monitor.marginMinutes,
      max_runtime: monitor.maxRunMinutes,
      failure_issue_threshold: monitor.failureThreshold,
      recovery_threshold: monitor.recoveryThreshold
    },
    environments: environments.map(({ environment, state, lastRunAt, dueAt }) => ({
      name: environment,
      status: states[state],
      lastCheckIn: lastRunAt?.toISOString() ?? null,
      nextCheckIn: dueAt?.toISOString() ?? null
    }))
  }
}
