import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { MissingParameter, UnsupportedGrantType } from '../errors.ts'
import { signIdToken } from '../openid/id-token.ts'
import { ClientParameters, clientEndpoint, OptionalParameters } from '../parameters.ts'
import { parseScopes } from '../scopes.ts'
import { TokenResponse } from '../tokens/token-response.ts'
import { grants } from './grants.ts'
import { recordRefusal } from './record-grant-event.ts'
import type { Exchange, TokenRequest } from './token-request.ts'

const TokenParameters = Type.Object({
  grant_type: Type.Optional(Type.String({ description: `One of ${[...grants.keys()].map(type => `\`${type}\``).join(', ')}.` })),
  ...ClientParameters,
  ...OptionalParameters('code', 'redirect_uri', 'code_verifier', 'refresh_token', 'username', 'password', 'scope')
})

/** RFC 6749 §3.2: exchanges a grant for tokens. */
export const tokenEndpoint: FastifyPluginAsyncTypebox = async app => {
  const { fork, config } = app.platform

  app.post(
    '/token',
    {
      config: { role: 'anyone', scopes: [] },
      schema: { ...clientEndpoint, summary: 'Get tokens for a grant', body: TokenParameters, response: { 200: TokenResponse } }
    },
    async (request, reply) => {
      const { body: params, headers } = request
      // A password is the only grant that can be guessed.
      if (params.grant_type === 'password') await app.countGuess(request, reply)

      return respond({ em: fork(), config, params, authorization: headers.authorization, actor: request.actor, at: new Date() }).catch(
        async error => {
          await recordRefusal(fork(), request.actor, params, error)
          throw error
        }
      )
    }
  )
}

async function respond(request: TokenRequest): Promise<TokenResponse> {
  const { grant_type: type } = request.params

  if (!type) throw new MissingParameter('grant_type')
  const exchangeGrant = grants.get(type)
  if (!exchangeGrant) throw new UnsupportedGrantType()

  const exchange = await exchangeGrant(request)

  return { ...exchange.response, ...(await idTokenFor(request, exchange)) }
}

/** OpenID Connect Core §3.1.3.3. Signed after the transaction: making the first key takes a connection of its own. */
async function idTokenFor({ em, config, at }: TokenRequest, { grant, response, nonce }: Exchange) {
  const { user, application, authTime } = grant
  const scopes = parseScopes(response.scope)

  if (!user || !application || !scopes.includes('openid')) return {}
  const authentication = { user, clientId: application.uid, scopes, authTime, nonce, accessToken: response.access_token }

  return { id_token: await signIdToken(em, config, authentication, at) }
}
