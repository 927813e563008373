import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { bidirectionalPage } from '../../http/pagination/keyset.ts'
import { toTime } from '../../http/parameters/time.ts'
import { callerOf } from '../../identity/identify.ts'
import { Role } from '../../projects/members/member.ts'
import { progressOf } from '../merge/move-chunks.ts'
import { findMonitored } from '../settings/find-monitored-project.ts'
import type { ErrorGroup } from './error-group.ts'
import { findGroupFor } from './find-group.ts'
import { frequencies } from './frequency.ts'
import { ErrorParams, ErrorShape, ErrorsQuery, ProjectId, TagsShape } from './group-schemas.ts'
import { listGroups, type SortColumn, sorts } from './list-groups.ts'
import { presentError } from './present-group.ts'
import { tagDistribution } from './tag-distribution.ts'

/** What broke, since when, how often, for whom. */
export const errorRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: { summary: 'Errors, last seen first', params: ProjectId, querystring: ErrorsQuery, response: { 200: Type.Array(ErrorShape) } }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.developer)
      const { column, isAscending, kind } = readSort(request.query.sort)
      const filter = readFilter(request.query, new Date())
      const page = await bidirectionalPage<ErrorGroup, [string | number, number]>(request, reply, {
        shape: [kind, 'id'],
        positionOf: group => [positionOf(group, column), group.id],
        list: (after, isBackwards, limit) =>
          listGroups(em, project.id, filter, { column, isAscending: isAscending !== isBackwards, after, limit })
      })
      const { stats_period: period = '24h' } = request.query
      const ids = page.map(({ id }) => id)
      const frequency = await frequencies(em, project.id, ids, period, new Date())

      return page.map(group => presentError(group, { [period]: frequency.get(group.id)! }))
    }
  )

  app.get(
    `${path}/:fingerprint`,
    { ...guard, schema: { summary: 'One error', params: ErrorParams, response: { 200: ErrorShape } } },
    async request => {
      const em = fork()
      const group = await findGroupFor(em, callerOf(request), request.params)
      const [day, month] = [
        await frequencies(em, group.projectId, [group.id], '24h', new Date()),
        await frequencies(em, group.projectId, [group.id], '30d', new Date())
      ]

      const frequency = { '24h': day.get(group.id)!, '30d': month.get(group.id)! }

      return { ...presentError(group, frequency), regrouping: await progressOf(em, group) }
    }
  )

  app.get(
    `${path}/:fingerprint/tags`,
    { ...guard, schema: { summary: 'How the events of an error spread over tags', params: ErrorParams, response: { 200: TagsShape } } },
    async request => {
      const em = fork()

      return tagDistribution(em, await findGroupFor(em, callerOf(request), request.params))
    }
  )
}

function readSort(sort = 'last_seen_desc') {
  const word = sort.replace(/_(asc|desc)$/, '') as keyof typeof sorts

  return { ...sorts[word], isAscending: sort.endsWith('_asc') }
}

function positionOf(group: ErrorGroup, column: SortColumn) {
  const value = group[column]

  return value instanceof Date ? value.toISOString() : value
}

function readFilter(query: Static<typeof ErrorsQuery>, now: Date) {
  const { status = 'unresolved', environment, release, level, assignee_id: assigneeId } = query
  const time = (name: TimeName) => toTime(query[name])

  return {
    status: status === 'all' ? undefined : (status as ErrorGroup['status']),
    query: query.query,
    environment,
    release,
    level,
    assigneeId,
    firstSeen: { after: time('first_seen_after'), before: time('first_seen_before') },
    lastSeen: { after: time('last_seen_after') ?? beginningOf(query.query_period, now), before: time('last_seen_before') }
  }
}

type TimeName = `${'first' | 'last'}_seen_${'after' | 'before'}`

const minutes = { m: 1, h: 60, d: 1440 }

/** When a period such as `30d` began that ends now. */
function beginningOf(period: string | undefined, now: Date) {
  if (!period) return undefined

  return new Date(now.getTime() - Number.parseInt(period, 10) * minutes[period.at(-1) as 'm' | 'h' | 'd'] * 60_000)
}
