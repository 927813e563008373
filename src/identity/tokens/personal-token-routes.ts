import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { getUser } from '../users/find-user.ts'
import { listTokens } from './list-tokens.ts'
import { findPersonalToken, findRotatableToken, issuePersonalToken, tokensVisibleTo } from './personal-token.ts'
import { revokeToken } from './revoke-token.ts'
import { rotateToken } from './rotate-token.ts'
import { NewTokenBody, presentToken, RotateBody, TokenShape, TokensQuery } from './token-schemas.ts'

const TokenId = Type.Object({ id: Type.Integer() })
const path = '/personal_access_tokens'

export const personalTokenRoutes: FastifyPluginAsyncTypebox = async app => {
  const userGuard = { config: { role: 'user' } } as const

  app.get(
    path,
    {
      ...userGuard,
      schema: {
        summary: 'List personal access tokens',
        querystring: Type.Object({ ...TokensQuery.properties, user_id: Type.Optional(Type.Integer()) }),
        response: { 200: Type.Array(TokenShape) }
      }
    },
    async (request, reply) => {
      const { user_id: userId, ...query } = request.query
      const now = new Date()
      const visible = tokensVisibleTo(request.user, userId)
      const page = await offsetPage(request, reply, listTokens(request.em, visible, query, now))

      return page.map(token => presentToken(token, now))
    }
  )

  app.post(
    '/user/personal_access_tokens',
    { ...userGuard, schema: { summary: 'Create a personal access token', body: NewTokenBody, response: { 201: TokenShape } } },
    async ({ em, user, actor, body }, reply) => {
      const now = new Date()
      const { token, secret } = await issuePersonalToken(em, actor, user, body, now)

      return reply.code(201).send(presentToken(token, now, secret))
    }
  )

  app.post(
    '/users/:user_id/personal_access_tokens',
    {
      config: { role: 'admin' },
      schema: {
        summary: 'Create a personal access token for a user',
        params: Type.Object({ user_id: Type.Integer() }),
        body: NewTokenBody,
        response: { 201: TokenShape }
      }
    },
    async ({ em, actor, params, body }, reply) => {
      const user = await getUser(em, params.user_id)
      const now = new Date()
      const { token, secret } = await issuePersonalToken(em, actor, user, body, now)

      return reply.code(201).send(presentToken(token, now, secret))
    }
  )

  app.get(
    `${path}/:id`,
    { ...userGuard, schema: { summary: 'Get a personal access token', params: TokenId, response: { 200: TokenShape } } },
    async ({ em, user, params }) => presentToken(await findPersonalToken(em, user, params.id), new Date())
  )

  app.delete(
    `${path}/:id`,
    { ...userGuard, schema: { summary: 'Revoke a personal access token', params: TokenId, response: { 204: Type.Null() } } },
    async ({ em, user, actor, params }, reply) => {
      await revokeToken(em, actor, await findPersonalToken(em, user, params.id), new Date())

      return reply.code(204).send(null)
    }
  )

  app.post(
    `${path}/:id/rotate`,
    {
      config: { role: 'user', scopes: ['api', 'self_rotate'], rotatesToken: true },
      schema: { summary: 'Rotate a personal access token', params: TokenId, body: RotateBody, response: { 201: TokenShape } }
    },
    async (request, reply) => {
      const now = new Date()
      const { id } = await findRotatableToken(request.em, request.caller!, request.params.id)
      const { token, secret } = await rotateToken(request.em, request.actor, id, request.body.expires_at, now)

      return reply.code(201).send(presentToken(token, now, secret))
    }
  )
}
