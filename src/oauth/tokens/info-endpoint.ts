import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { readBearer } from '#identity/credentials/auth-strategy.ts'
import { Nullable } from '#lib/nullable.ts'
import { OptionalParameters } from '../parameters.ts'
import { requireAccessToken } from './find-token.ts'
import type { OAuthToken } from './oauth-token.ts'

const TokenInfo = Type.Object({
  resource_owner_id: Nullable(Type.Integer({ description: 'The user that the token acts for; null with client credentials.' })),
  scope: Type.Array(Type.String()),
  expires_in: Nullable(Type.Integer({ description: 'Seconds.' })),
  application: Type.Object({ uid: Nullable(Type.String()) }),
  created_at: Type.Integer({ description: 'Unix time.' }),
  scopes: Type.Array(Type.String(), { deprecated: true }),
  expires_in_seconds: Nullable(Type.Integer({ deprecated: true }))
})

/** Describes an access token to its holder. */
export const infoEndpoint: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/token/info',
    {
      config: { role: 'anyone', scopes: [] },
      schema: {
        tags: ['OAuth'],
        summary: 'Get information about an access token',
        querystring: Type.Object(OptionalParameters('access_token')),
        response: { 200: TokenInfo }
      }
    },
    async request => {
      const at = new Date()

      return present(await requireAccessToken(request.em, readBearer(request) ?? request.query.access_token, at), at)
    }
  )
}

function present({ grant, scopes, createdAt, expiresAt }: OAuthToken, at: Date) {
  const seconds = Math.ceil((expiresAt.getTime() - at.getTime()) / 1000)

  return {
    resource_owner_id: grant.user?.id ?? null,
    scope: scopes,
    expires_in: seconds,
    application: { uid: grant.application?.uid ?? null },
    created_at: Math.floor(createdAt.getTime() / 1000),
    scopes,
    expires_in_seconds: seconds
  }
}
