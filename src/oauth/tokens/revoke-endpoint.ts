import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { authenticateClient, type Client } from '../authenticate-client.ts'
import { MissingParameter, RevocationDenied } from '../errors.ts'
import { revokeGrant } from '../grants/revoke-grant.ts'
import { ClientParameters, clientEndpoint, OptionalParameters } from '../parameters.ts'
import { findToken } from './find-token.ts'

const RevocationParameters = Type.Object({ ...ClientParameters, ...OptionalParameters('token', 'token_type_hint') })

/** RFC 7009: a client ends one of its tokens. */
export const revokeEndpoint: FastifyPluginAsyncTypebox = async app => {
  app.post(
    '/revoke',
    {
      config: { role: 'anyone', scopes: [] },
      schema: { ...clientEndpoint, summary: 'Revoke a token', body: RevocationParameters, response: { 200: Type.Object({}) } }
    },
    async request => {
      const { body: params, headers } = request
      const client = await authenticateClient(request.em, { params, authorization: headers.authorization })

      if (!client) throw new RevocationDenied()
      if (!params.token) throw new MissingParameter('token')
      await revoke(request.em, request.actor, client, params.token)

      return {}
    }
  )
}

/**
 * Revokes the whole grant, so that no other token of the authorization stays valid (RFC 7009 §2.1). An unknown token is no
 * error: it is as invalid as it was to become (§2.2).
 */
async function revoke(em: EntityManager, actor: Actor, client: Client, secret: string) {
  const token = await findToken(em, secret)

  if (!token) return
  const { application } = token.grant
  if (application && application.id !== client.id) throw new RevocationDenied()
  await revokeGrant(em, actor, token.grant.id, new Date())
}
