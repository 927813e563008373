import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '../../http/pagination/offset.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf, viewerOf } from '../../identity/identify.ts'
import { findUser } from '../../identity/users/find-user.ts'
import { findProjectAndRoles } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { highest } from '../members/roles.ts'
import { EventShape, EventsQuery, OwnEventsQuery } from './activity-schemas.ts'
import { activityAround, activityOf, projectActivity } from './list-activity.ts'
import { presentEvent } from './present-activity.ts'

const scopes = ['api', 'read_api', 'read_user']
const response = { 200: Type.Array(EventShape) }

/** What people did: oneself, somebody, anybody in a project. */
export const activityRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform

  app.get(
    '/events',
    {
      onRequest: app.requireUser,
      config: { role: 'user', scopes },
      schema: { summary: 'What you did, last first', querystring: OwnEventsQuery, response }
    },
    async (request, reply) => {
      const em = fork()
      const viewer = callerOf(request)
      const isAll = request.query.scope === 'all'
      const rows = await (isAll ? activityAround(em, viewer, request.query) : activityOf(em, viewer, viewer.id, request.query))

      return (await offsetPage(request, reply, rows)).map(event => presentEvent(event, config.baseUrl))
    }
  )

  app.get(
    '/users/:id/events',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone', scopes },
      schema: {
        summary: 'What somebody did, last first',
        params: Type.Object({ id: Type.String({ description: 'The user, by id or username.' }) }),
        querystring: EventsQuery,
        response
      }
    },
    async (request, reply) => {
      const em = fork()
      const viewer = viewerOf(request)
      const user = await findUser(em, request.params.id)

      if (!user) throw new NotFound('User')
      const isHidden = user.isPrivateProfile && !viewer?.isAdmin && viewer?.id !== user.id
      const rows = isHidden ? nothing : await activityOf(em, viewer, user.id, request.query)

      return (await offsetPage(request, reply, rows)).map(event => presentEvent(event, config.baseUrl))
    }
  )

  app.get(
    '/projects/:id/events',
    {
      onRequest: app.allowAnyone,
      config: { role: 'guest' },
      schema: {
        summary: 'What was done in a project, last first',
        params: Type.Object({ id: Type.String() }),
        querystring: EventsQuery,
        response
      }
    },
    async (request, reply) => {
      const em = fork()
      const viewer = viewerOf(request)
      const { project, roles } = await findProjectAndRoles(em, viewer, request.params.id)
      const rows = projectActivity(em, project.id, viewer?.isAdmin ? Role.owner : highest(roles), request.query)

      return (await offsetPage(request, reply, rows)).map(event => presentEvent(event, config.baseUrl))
    }
  )
}

const nothing = { list: async () => [], count: async () => 0 }
