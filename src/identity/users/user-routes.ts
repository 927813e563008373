import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { keysetParameters } from '#api/pagination/keyset.ts'
import { paging } from '#api/pagination/offset.ts'
import { NotFound } from '#api/problems/problems.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { callerOf, viewerOf } from '../identify.ts'
import type { Viewer } from '../viewer.ts'
import { getUser } from './find-user.ts'
import { userFilters } from './list-users.ts'
import {
  CurrentUserShape,
  presentAllToAdmin,
  presentBasics,
  presentProfile,
  presentPublicly,
  presentSelf,
  presentToAdmin,
  UserShape
} from './user-schemas.ts'
import { usersPage } from './users-page.ts'

const scopes = ['api', 'read_api', 'read_user']
const page = Type.Optional(Type.Integer({ minimum: 1, description: 'Removed in version 17.0: use keyset pagination.' }))

export const userRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform

  app.get(
    '/user',
    {
      onRequest: app.requireUser,
      config: { role: 'user', scopes },
      schema: { summary: 'Get the current user', response: { 200: CurrentUserShape } }
    },
    async request => {
      const caller = callerOf(request)

      return caller.isAdmin ? presentToAdmin(fork(), caller, config.baseUrl) : presentSelf(caller, config.baseUrl)
    }
  )

  app.get(
    '/users',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone', scopes, deprecation: 'users-offset' },
      schema: {
        summary: 'List users',
        querystring: Type.Object({ ...paging, page, ...keysetParameters, ...userFilters }),
        response: { 200: Type.Array(UserShape) }
      }
    },
    async (request, reply) => {
      const viewer = viewerOf(request)
      const em = fork()
      const users = await usersPage(em, request, reply, viewer)

      if (!viewer) return users.map(user => presentPublicly(user, config.baseUrl))
      if (!viewer.isAdmin) return users.map(user => presentBasics(user, config.baseUrl))

      return presentAllToAdmin(em, users, config.baseUrl)
    }
  )

  app.get(
    '/users/:id',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone', scopes },
      schema: {
        summary: 'Get a user',
        params: Type.Object({ id: Type.Integer() }),
        response: { 200: UserShape }
      }
    },
    async request => {
      const em = fork()

      return presentTo(em, viewerOf(request), await getUser(em, request.params.id), config.baseUrl)
    }
  )
}

/** A blocked user or a private profile shows only basic attributes to other users, and nothing to anonymous viewers. */
function presentTo(em: EntityManager, viewer: Viewer | undefined, user: Viewer, baseUrl: string) {
  const isHidden = user.isPrivateProfile || !user.isActive()

  if (viewer?.isAdmin) return presentToAdmin(em, user, baseUrl)
  if (viewer?.id === user.id || !isHidden) return presentProfile(user, baseUrl)
  if (!viewer) throw new NotFound('User')

  return presentBasics(user, baseUrl)
}
