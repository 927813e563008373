import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { resolveUser } from '#identity/users/find-user.ts'
import { rowsInMemory } from '#platform/database/list.ts'
import { findProjectAndRoles } from '../find-project.ts'
import { effectiveRole } from '../members/roles.ts'
import { ById } from '../schemas.ts'
import { EventShape, EventsQuery, OwnEventsQuery } from './activity-schemas.ts'
import { memberProjectsActivity, projectActivity, userActivity } from './list-activity.ts'
import { type ActivityRow, presentEvent } from './present-activity.ts'

const scopes = ['api', 'read_api', 'read_user']
const response = { 200: Type.Array(EventShape) }

/** The activity of the caller, of a user, and in a project. */
export const activityRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.get(
    '/events',
    {
      config: { role: 'user', scopes },
      schema: { summary: 'List your activity, newest first', querystring: OwnEventsQuery, response }
    },
    async (request, reply) => {
      const isAll = request.query.scope === 'all'
      const rows = await (isAll
        ? memberProjectsActivity(request.em, request.user, request.query)
        : userActivity(request.em, request.user, request.user.id, request.query))

      return (await offsetPage(request, reply, rows)).map(event => presentEvent(event, config.baseUrl))
    }
  )

  app.get(
    '/users/:id/events',
    {
      config: { role: 'anyone', scopes },
      schema: {
        summary: "List a user's activity, newest first",
        params: Type.Object({ id: Type.String({ description: 'ID or username.' }) }),
        querystring: EventsQuery,
        response
      }
    },
    async (request, reply) => {
      const user = await resolveUser(request.em, request.params.id)
      const isPrivate = user.isPrivateProfile && !request.viewer?.isAdmin && request.viewer?.id !== user.id
      const rows = isPrivate ? rowsInMemory<ActivityRow>([]) : await userActivity(request.em, request.viewer, user.id, request.query)

      return (await offsetPage(request, reply, rows)).map(event => presentEvent(event, config.baseUrl))
    }
  )

  app.get(
    '/projects/:id/events',
    {
      config: { role: 'anyone' },
      schema: {
        summary: 'List the activity in a project, newest first',
        params: ById,
        querystring: EventsQuery,
        response
      }
    },
    async (request, reply) => {
      const { project, roles } = await findProjectAndRoles(request.em, request.viewer, request.params.id)
      const rows = projectActivity(request.em, project.id, effectiveRole(request.viewer, roles), request.query)

      return (await offsetPage(request, reply, rows)).map(event => presentEvent(event, config.baseUrl))
    }
  )
}
