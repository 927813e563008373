import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { requestUrl } from '#api/request-url.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { changeGroups } from '../groups/change-groups.ts'
import { listGroups } from '../groups/list-groups.ts'
import { statusOf } from '../search/conditions.ts'
import { issueQuery, readIssueQuery } from './issue-query.ts'
import { findProject } from './organization-projects.ts'
import { presentIssues, SentryIssue } from './present-issue.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

const Params = Type.Object({ org: Type.String(), project: Type.String() })

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
        querystring: Type.Object({ ...sentryPaging, ...issueQuery }),
        response: { 200: Type.Array(SentryIssue) }
      }
    },
    async (request, reply) => {
      const { org, project: slug } = request.params
      const project = await findProject(request.em, request.user, org, slug)
      const { filter, sort } = await readIssueQuery(request, project.id, new Date())
      const page = await sentryPage(request, reply, listGroups(request.em, project.id, filter, sort))

      return presentIssues(request.em, page, project, config.baseUrl)
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

export function readStatus(name: string) {
  const status = statusOf(name)

  if (!status) throw new InvalidInput(`The status ${name} is unknown`)

  return status
}
