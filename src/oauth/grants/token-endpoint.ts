import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { MissingParameter, UnsupportedGrantType } from '../errors.ts'
import type { Parameters } from '../parameters.ts'
import { TokenResponse } from '../tokens/token-response.ts'
import { grants } from './grants.ts'

/** RFC 6749 §3.2: exchanges a grant for tokens. */
export const tokenEndpoint: FastifyPluginAsyncTypebox = async app => {
  const { fork, config } = app.platform

  app.post(
    '/token',
    { config: { role: 'anyone' }, schema: { tags: ['OAuth'], summary: 'Get tokens for a grant', response: { 200: TokenResponse } } },
    async request => {
      const params = (request.body ?? {}) as Parameters
      if (!params.grant_type) throw new MissingParameter('grant_type')
      const exchange = grants.get(params.grant_type)
      if (!exchange) throw new UnsupportedGrantType()

      return exchange({
        em: fork(),
        config,
        params,
        authorization: request.headers.authorization,
        actor: actorOf(request),
        at: new Date()
      })
    }
  )
}
