import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { requestUrl } from '#api/request-url.ts'
import { User } from '#identity/users/user.ts'
import { Nullable } from '#lib/nullable.ts'
import { InvalidInput } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroupPaths } from '#projects/members/assignee-group-store.ts'
import type { Project } from '#projects/project.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { changeGroups } from '../groups/change-groups.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { listGroups } from '../groups/list-groups.ts'
import { shortIdOf, titleOf } from '../groups/present-group.ts'
import { priorityName } from '../groups/priority.ts'
import { statusOf } from '../search/conditions.ts'
import { readSearch } from '../search/read-search.ts'
import { searchContext } from '../search/search-context.ts'
import { findProject } from './organization-projects.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

const Params = Type.Object({ org: Type.String(), project: Type.String() })

const Issue = Type.Object({
  id: Type.String(),
  shortId: Type.String(),
  title: Type.String(),
  culprit: Type.String(),
  level: Type.String(),
  status: Type.String(),
  statusDetails: Type.Object({}),
  platform: Type.String(),
  type: Type.String(),
  metadata: Type.Object({ type: Type.String(), value: Type.String() }),
  project: Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }),
  count: Type.String(),
  userCount: Type.Integer(),
  firstSeen: Type.String(),
  lastSeen: Type.String(),
  permalink: Type.String(),
  priority: Type.String(),
  assignedTo: Nullable(
    Type.Object({ type: Type.String({ description: '`user` or `team`, which is a group.' }), id: Type.String(), name: Type.String() })
  )
})

const IssueChanges = Type.Object({
  status: Type.String(),
  snoozeDuration: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_256_000, description: 'Minutes to ignore the issues.' }))
})

/** Sentry calls an error an issue. */
export const issueRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'developer' as const } }
  const path = '/projects/:org/:project/issues'

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List issues, last seen first',
        params: Params,
        querystring: Type.Object({ ...sentryPaging, query: Type.Optional(Type.String({ maxLength: 500 })) }),
        response: { 200: Type.Array(Issue) }
      }
    },
    async (request, reply) => {
      const { org, project: slug } = request.params
      const project = await findProject(request.em, request.user, org, slug)
      const context = searchContext(request.em, { viewer: request.user, projectId: project.id }, new Date())
      const filter = await readSearch(request.query.query ?? 'is:unresolved', context)
      const page = await sentryPage(request, reply, listGroups(request.em, project.id, filter))

      const assigneeOf = await findAssignees(request.em, page)

      return page.map(group => presentIssue(group, project, config.baseUrl, assigneeOf(group)))
    }
  )

  app.put(
    path,
    {
      ...guard,
      schema: {
        summary: 'Resolve, ignore or reopen the issues with these ids or this status, or all',
        params: Params,
        body: IssueChanges,
        response: { 200: Type.Object({ status: Type.String(), statusDetails: Type.Object({}) }) }
      }
    },
    async request => {
      const { org, project: slug } = request.params
      const project = await findProject(request.em, request.user, org, slug)
      const { status, ...changes } = readChanges(request.body)

      checkWritable(project)
      await changeGroups(request.em, project, readSelection(request), { ...changes, status }, request.actor, new Date())

      return { status, statusDetails: {} }
    }
  )
}

/** The body has a `status`, too. */
function readSelection(request: FastifyRequest) {
  const { searchParams } = requestUrl(request)
  const ids = searchParams.getAll('id')
  const status = searchParams.get('status')

  if (ids.length > 1000 || ids.some(id => !/^\d{1,15}$/.test(id))) throw new InvalidInput('id must be the ids of at most 1000 issues')

  return { ids: ids.length > 0 ? ids.map(Number) : undefined, status: status === null ? undefined : readStatus(status) }
}

function readChanges({ status, snoozeDuration }: { status: string; snoozeDuration?: number }) {
  if (status === 'resolvedInNextRelease') return { status: 'resolved' as const, resolved_in: 'next' }

  return { status: readStatus(status), ignored_for: snoozeDuration }
}

function readStatus(name: string) {
  const status = statusOf(name)

  if (!status) throw new InvalidInput(`The status ${name} is unknown`)

  return status
}

async function findAssignees(em: EntityManager, groups: ErrorGroup[]) {
  const users = await em.find(User, { id: { $in: groups.flatMap(({ assigneeId }) => assigneeId ?? []) } })
  const usernames = new Map(users.map(({ id, username }) => [id, username]))
  const paths = await findGroupPaths(
    em,
    groups.flatMap(({ assigneeGroupId }) => assigneeGroupId ?? [])
  )

  return ({ assigneeId, assigneeGroupId }: ErrorGroup) => {
    if (assigneeId) return { type: 'user', id: String(assigneeId), name: usernames.get(assigneeId) ?? '' }

    return assigneeGroupId ? { type: 'team', id: String(assigneeGroupId), name: paths.get(assigneeGroupId) ?? '' } : null
  }
}

function presentIssue(
  group: ErrorGroup,
  { id, path, name }: Project,
  baseUrl: string,
  assignedTo: ReturnType<Awaited<ReturnType<typeof findAssignees>>>
) {
  return {
    id: String(group.id),
    shortId: shortIdOf(path, group.id),
    title: titleOf(group),
    culprit: group.actor,
    level: group.level,
    status: group.status,
    statusDetails: {},
    platform: group.platform ?? 'other',
    type: 'error',
    metadata: { type: group.name, value: group.description },
    project: { id: String(id), slug: path, name },
    count: String(group.events),
    userCount: group.users,
    firstSeen: group.firstSeenAt.toISOString(),
    lastSeen: group.lastSeenAt.toISOString(),
    permalink: `${baseUrl}/projects/${id}/errors/${group.id}`,
    priority: priorityName(group.priority),
    assignedTo
  }
}
