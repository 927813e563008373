import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { actorOf } from '../../../audit/record-audit-event.ts'
import { offsetPage } from '../../../http/pagination/offset.ts'
import { Forbidden, InsufficientScope, NotFound, Unauthorized } from '../../../http/problems/problems.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import { callerOf } from '../../identify.ts'
import { getUser } from '../../users/find-user.ts'
import type { Viewer } from '../../viewer.ts'
import { AccessToken } from '../access-token.ts'
import { issueToken } from '../issue-token.ts'
import { listTokens } from '../list-tokens.ts'
import { revokeToken } from '../revoke-token.ts'
import { rotateToken } from '../rotate-token.ts'
import { NewTokenBody, presentToken, RotateBody, TokenShape, TokensQuery } from '../token-schemas.ts'
import { checkHeld } from '../token-scopes.ts'

const TokenId = Type.Object({ id: Type.Integer() })
const path = '/personal_access_tokens'

/** Everybody's own tokens; for admins, everybody's. */
export const personalTokenRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    path,
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: {
        summary: 'Personal access tokens',
        querystring: Type.Object({ ...TokensQuery.properties, user_id: Type.Optional(Type.Integer()) }),
        response: { 200: Type.Array(TokenShape) }
      }
    },
    async (request, reply) => {
      const { user_id: userId, ...asked } = request.query
      const viewer = callerOf(request)
      const now = new Date()

      if (userId && userId !== viewer.id && !viewer.isAdmin) throw new Unauthorized()
      const page = await offsetPage(
        request,
        reply,
        listTokens(fork(), { ...visibleTo(viewer), ...(userId && { user: userId }) }, asked, now)
      )

      return page.map(token => presentToken(token, now))
    }
  )

  app.post(
    '/user/personal_access_tokens',
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: 'Make a token of your own', body: NewTokenBody, response: { 201: TokenShape } }
    },
    async (request, reply) => {
      checkHeld(request.body.scopes, request.caller!.scopes)

      return reply.code(201).send(await issue(fork(), request, callerOf(request), request.body))
    }
  )

  app.post(
    '/users/:user_id/personal_access_tokens',
    {
      onRequest: app.requireAdmin,
      config: { role: 'admin' },
      schema: {
        summary: 'Make a token for somebody',
        params: Type.Object({ user_id: Type.Integer() }),
        body: NewTokenBody,
        response: { 201: TokenShape }
      }
    },
    async (request, reply) => {
      const em = fork()
      const user = await getUser(em, request.params.user_id)

      return reply.code(201).send(await issue(em, request, user, request.body))
    }
  )

  app.get(
    `${path}/:id`,
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: 'A token', params: TokenId, response: { 200: TokenShape } }
    },
    async request => presentToken(await findToken(fork(), callerOf(request), request.params.id), new Date())
  )

  app.delete(
    `${path}/:id`,
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: 'Revoke a token', params: TokenId, response: { 204: Type.Null() } }
    },
    async (request, reply) => {
      const em = fork()

      await revokeToken(em, actorOf(request), await findToken(em, callerOf(request), request.params.id), new Date())

      return reply.code(204).send(null)
    }
  )

  app.post(
    `${path}/:id/rotate`,
    {
      onRequest: app.requireUser,
      config: { role: 'user', scopes: ['api', 'self_rotate'], rotatesToken: true },
      schema: { summary: 'Replace a token', params: TokenId, body: RotateBody, response: { 201: TokenShape } }
    },
    async (request, reply) => {
      const em = fork()
      const { id } = await findToken(em, callerOf(request), request.params.id)

      checkMayRotate(request, id)
      const now = new Date()
      const { token, secret } = await rotateToken(em, actorOf(request), id, request.body.expires_at, now)

      return reply.code(201).send(presentToken(token, now, secret))
    }
  )
}

/** Nobody is shown the tokens by which admins act as them. */
function visibleTo(viewer: Viewer) {
  return { kind: { $ne: 'impersonation' as const }, ...(!viewer.isAdmin && { user: viewer.id }) }
}

async function findToken(em: EntityManager, viewer: Viewer, id: number) {
  const token = await em.findOne(AccessToken, { id, ...visibleTo(viewer) })

  if (!token) throw new NotFound('Personal Access Token')

  return token
}

/** A bot's tokens are made where its project or group is looked after: one made here would outlive them. */
async function issue(em: EntityManager, request: FastifyRequest, user: Viewer, wanted: Type.Static<typeof NewTokenBody>) {
  const now = new Date()

  if (user.isBot()) throw new Forbidden()
  const { token, secret } = await issueToken(em, actorOf(request), { user, kind: 'personal' }, wanted, now)

  return presentToken(token, now, secret)
}

/** The scope `self_rotate` is good for the token itself and for no other. */
function checkMayRotate({ caller }: FastifyRequest, id: number) {
  const { scopes, by } = caller!
  const isOwn = by.kind === 'token' && by.id === id

  if (!isOwn && scopes !== 'all' && !scopes.includes('api')) throw new InsufficientScope(['api'])
}
