import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { twoWayPage } from '#api/pagination/keyset.ts'
import type { Viewer } from '#identity/viewer.ts'
import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { findMoveProgress } from '../merge/pending-moves.ts'
import { statusOrDefault } from '../search/default-status.ts'
import { readSearch } from '../search/read-search.ts'
import { restrict } from '../search/restrict.ts'
import { searchContext } from '../search/search-context.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { findError } from './find-group.ts'
import { frequencies } from './frequency.ts'
import type { Sort } from './group-filter.ts'
import { ErrorParams, ErrorShape, ErrorsQuery, ProjectId, TagsShape } from './group-schemas.ts'
import { listGroups } from './list-groups.ts'
import { presentError } from './present-group.ts'
import { tagDistribution } from './tag-distribution.ts'

export const errorRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const guard = { config: { role: 'developer' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List errors, last seen first',
        params: ProjectId,
        querystring: ErrorsQuery,
        response: { 200: Type.Array(ErrorShape) }
      }
    },
    async (request, reply) => {
      const project = await findMonitoredProject(request.em, request.user, request.params.id, Role.developer)
      const filter = await readFilter(request, project.id, new Date())
      const { stats_period: period = '24h', sort = 'last_seen_desc' } = request.query
      const by = sort.replace(/_(asc|desc)$/, '') as Sort
      const page = await twoWayPage(request, reply, listGroups(request.em, project.id, filter, by, sort.endsWith('_asc')))
      const ids = page.map(({ id }) => id)
      const frequency = await frequencies(request.em, project.id, ids, period, new Date())

      return page.map(group => presentError(group, { [period]: frequency.get(group.id)! }))
    }
  )

  app.get(
    `${path}/:fingerprint`,
    { ...guard, schema: { summary: 'Get an error', params: ErrorParams, response: { 200: ErrorShape } } },
    async ({ em, user, params }) => {
      const { group } = await findError(em, user, params)
      const now = new Date()
      const frequency = {
        '24h': (await frequencies(em, group.projectId, [group.id], '24h', now)).get(group.id)!,
        '30d': (await frequencies(em, group.projectId, [group.id], '30d', now)).get(group.id)!
      }

      return { ...presentError(group, frequency), regrouping: await findMoveProgress(em, group) }
    }
  )

  app.get(
    `${path}/:fingerprint/tags`,
    {
      ...guard,
      schema: { summary: 'Get the distribution of tags in the events of an error', params: ErrorParams, response: { 200: TagsShape } }
    },
    async ({ em, user, params }) => {
      const { group } = await findError(em, user, params)

      return tagDistribution(em, group)
    }
  )
}

/** Parameters, and a search in the language of the pages. */
async function readFilter(
  { em, user, query }: { em: EntityManager; user: Viewer; query: Static<typeof ErrorsQuery> },
  projectId: number,
  now: Date
) {
  const { environment, release, level, assignee_id: assignee } = query
  const time = (name: `${'first' | 'last'}_seen_${'after' | 'before'}`) => toTime(query[name])

  const search = await readSearch(query.query ?? '', searchContext(em, { viewer: user, projectId }, now))

  return restrict(search, {
    status: statusOrDefault(query.status, search),
    environment,
    release,
    level,
    assignee,
    firstSeen: { after: time('first_seen_after'), before: time('first_seen_before') },
    lastSeen: { after: time('last_seen_after') ?? startOf(query.query_period, now), before: time('last_seen_before') }
  })
}

const minutes = { m: 1, h: 60, d: 1440 }

/** The start of a period, such as `30d`, that ends now. */
function startOf(period: string | undefined, now: Date) {
  if (!period) return undefined

  return new Date(now.getTime() - Number.parseInt(period, 10) * minutes[period.at(-1) as 'm' | 'h' | 'd'] * 60_000)
}
