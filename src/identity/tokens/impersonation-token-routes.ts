import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { getAccount, getUser } from '../users/find-user.ts'
import { AccessToken } from './access-token.ts'
import { issueToken } from './issue-token.ts'
import { listTokens } from './list-tokens.ts'
import { revokeToken } from './revoke-token.ts'
import { NewTokenBody, presentToken, TokenShape, TokensQuery } from './token-schemas.ts'

const UserId = Type.Object({ user_id: Type.Integer() })
const TokenId = Type.Object({ user_id: Type.Integer(), id: Type.Integer() })
const path = '/users/:user_id/impersonation_tokens'

/** Admins create these tokens to act as another user, who does not see them. */
export const impersonationTokenRoutes: FastifyPluginAsyncTypebox = async app => {
  const adminGuard = { config: { role: 'admin' } } as const

  app.get(
    path,
    {
      ...adminGuard,
      schema: { summary: 'List impersonation tokens', params: UserId, querystring: TokensQuery, response: { 200: Type.Array(TokenShape) } }
    },
    async (request, reply) => {
      const user = await getUser(request.em, request.params.user_id)
      const now = new Date()
      const page = await offsetPage(request, reply, listTokens(request.em, { user, kind: 'impersonation' }, request.query, now))

      return page.map(token => presentToken(token, now))
    }
  )

  app.post(
    path,
    {
      ...adminGuard,
      schema: { summary: 'Create an impersonation token', params: UserId, body: NewTokenBody, response: { 201: TokenShape } }
    },
    async ({ em, actor, params, body }, reply) => {
      const user = await getAccount(em, params.user_id)
      const now = new Date()
      const { token, secret } = await issueToken(em, actor, { user, kind: 'impersonation' }, body, now)

      return reply.code(201).send(presentToken(token, now, secret))
    }
  )

  app.get(
    `${path}/:id`,
    { ...adminGuard, schema: { summary: 'Get an impersonation token', params: TokenId, response: { 200: TokenShape } } },
    async ({ em, params }) => presentToken(await findToken(em, params), new Date())
  )

  app.delete(
    `${path}/:id`,
    { ...adminGuard, schema: { summary: 'Revoke an impersonation token', params: TokenId, response: { 204: Type.Null() } } },
    async ({ em, actor, params }, reply) => {
      await revokeToken(em, actor, await findToken(em, params), new Date())

      return reply.code(204).send(null)
    }
  )
}

async function findToken(em: EntityManager, { user_id: user, id }: Type.Static<typeof TokenId>) {
  const token = await em.findOne(AccessToken, { id, user, kind: 'impersonation' })

  if (!token) throw new NotFound('Impersonation Token')

  return token
}
