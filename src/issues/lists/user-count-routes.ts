import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import Type from 'typebox'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { getUser } from '../../identity/users/find-user.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { countByState } from './list-issues.ts'
import { isSeen } from './seen-issues.ts'

const none = Type.Literal(0)
const UserCounts = Type.Object({
  assigned_issues: Type.Integer(),
  merge_requests: none,
  assigned_merge_requests: none,
  review_requested_merge_requests: none,
  todos: none
})

const Associations = Type.Object({
  groups_count: Type.Integer(),
  projects_count: Type.Integer(),
  issues_count: Type.Integer(),
  merge_requests_count: none
})

/** What waits for the caller. There are no merge requests and no to-do items. */
export const userCountRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    '/user_counts',
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: 'Count the open issues that are assigned to the caller', response: { 200: UserCounts } }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)
      const { opened } = await countByState(em, { assigneeId: viewer.id, within: [await isSeen(em, viewer)] })

      return {
        assigned_issues: opened,
        merge_requests: 0 as const,
        assigned_merge_requests: 0 as const,
        review_requested_merge_requests: 0 as const,
        todos: 0 as const
      }
    }
  )

  app.get(
    '/users/:id/associations_count',
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: {
        summary: 'Count the memberships and the issues of a user; of others for admins',
        params: Type.Object({ id: Type.Integer() }),
        response: { 200: Associations }
      }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)

      if (viewer.id !== request.params.id && !viewer.isAdmin) throw new NotFound('User')
      const user = await getUser(em, request.params.id)

      return { ...(await countAssociations(em, user.id)), merge_requests_count: 0 as const }
    }
  )
}

async function countAssociations(em: EntityManager, userId: number) {
  const { rows } = await sql<{ groups_count: string; projects_count: string; issues_count: string }>`
    SELECT count(m.group_id) AS groups_count, count(m.project_id) AS projects_count,
      (SELECT count(*) FROM issues WHERE author_id = ${userId}) AS issues_count
    FROM members m WHERE m.user_id = ${userId}`.execute(em.getKysely())
  const { groups_count: groups, projects_count: projects, issues_count: issues } = rows[0]!

  return { groups_count: Number(groups), projects_count: Number(projects), issues_count: Number(issues) }
}
