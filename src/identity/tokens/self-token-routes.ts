import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Rejected } from '#lib/refusals.ts'
import { AccessToken } from './access-token.ts'
import { revokeToken } from './revoke-token.ts'
import { rotateToken } from './rotate-token.ts'
import { presentToken, RotateBody, TokenShape } from './token-schemas.ts'
import { tokenScopes } from './token-scopes.ts'

const path = '/personal_access_tokens/self'

/** Every kind of token can show and revoke itself, with any scope. */
export const selfTokenRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    path,
    {
      config: { role: 'user', scopes: tokenScopes },
      schema: { summary: 'Get the current token', response: { 200: TokenShape } }
    },
    async request => presentToken(await request.em.findOneOrFail(AccessToken, { id: currentTokenId(request) }), new Date())
  )

  app.delete(
    path,
    {
      config: { role: 'user', scopes: tokenScopes },
      schema: { summary: 'Revoke the current token', response: { 204: Type.Null() } }
    },
    async (request, reply) => {
      const token = await request.em.findOneOrFail(AccessToken, { id: currentTokenId(request) })

      await revokeToken(request.em, request.actor, token, new Date())

      return reply.code(204).send(null)
    }
  )

  app.post(
    `${path}/rotate`,
    {
      config: { role: 'user', scopes: ['api', 'self_rotate'], rotatesToken: true },
      schema: { summary: 'Rotate the current token', body: RotateBody, response: { 201: TokenShape } }
    },
    async (request, reply) => {
      const now = new Date()
      const { token, secret } = await rotateToken(request.em, request.actor, currentTokenId(request), request.body.expires_at, now)

      return reply.code(201).send(presentToken(token, now, secret))
    }
  )
}

function currentTokenId({ caller }: FastifyRequest) {
  if (caller?.by.kind !== 'token') throw new Rejected('This endpoint requires token type to be a personal access token')

  return caller.by.id
}
