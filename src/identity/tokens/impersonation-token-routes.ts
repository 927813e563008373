import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { NotFound } from '#api/problems/problems.ts'
import { actorOf } from '#audit/record-audit-event.ts'
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
  const { fork } = app.platform
  const adminGuard = { onRequest: app.requireAdmin, config: { role: 'admin' } } as const

  app.get(
    path,
    {
      ...adminGuard,
      schema: { summary: 'List impersonation tokens', params: UserId, querystring: TokensQuery, response: { 200: Type.Array(TokenShape) } }
    },
    async (request, reply) => {
      const em = fork()
      const user = await getUser(em, request.params.user_id)
      const now = new Date()
      const page = await offsetPage(request, reply, listTokens(em, { user, kind: 'impersonation' }, request.query, now))

      return page.map(token => presentToken(token, now))
    }
  )

  app.post(
    path,
    {
      ...adminGuard,
      schema: { summary: 'Create an impersonation token', params: UserId, body: NewTokenBody, response: { 201: TokenShape } }
    },
    async (request, reply) => {
      const em = fork()
      const user = await getAccount(em, request.params.user_id)
      const now = new Date()
      const { token, secret } = await issueToken(em, actorOf(request), { user, kind: 'impersonation' }, request.body, now)

      return reply.code(201).send(presentToken(token, now, secret))
    }
  )

  app.get(
    `${path}/:id`,
    { ...adminGuard, schema: { summary: 'Get an impersonation token', params: TokenId, response: { 200: TokenShape } } },
    async request => presentToken(await findToken(fork(), request.params), new Date())
  )

  app.delete(
    `${path}/:id`,
    { ...adminGuard, schema: { summary: 'Revoke an impersonation token', params: TokenId, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()

      await revokeToken(em, actorOf(request), await findToken(em, request.params), new Date())

      return reply.code(204).send(null)
    }
  )
}

async function findToken(em: EntityManager, { user_id: user, id }: Type.Static<typeof TokenId>) {
  const token = await em.findOne(AccessToken, { id, user, kind: 'impersonation' })

  if (!token) throw new NotFound('Impersonation Token')

  return token
}
