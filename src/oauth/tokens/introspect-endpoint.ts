import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { readBearer } from '#identity/credentials/auth-strategy.ts'
import { hashSecret } from '#identity/secrets.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { authenticateClient, type Client } from '../authenticate-client.ts'
import { InvalidClient, InvalidRequest, MissingParameter } from '../errors.ts'
import { ClientParameters, clientEndpoint, OptionalParameters, type Parameters } from '../parameters.ts'
import { findToken, requireAccessToken } from './find-token.ts'
import type { OAuthToken } from './oauth-token.ts'

const IntrospectionParameters = Type.Object({ ...ClientParameters, ...OptionalParameters('token', 'token_type_hint') })

const Introspection = Type.Object({
  active: Type.Boolean(),
  scope: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
  token_type: Type.Optional(Type.Literal('bearer')),
  sub: Type.Optional(Type.String({ description: 'The ID of the user.' })),
  exp: Type.Optional(Type.Integer()),
  iat: Type.Optional(Type.Integer())
})

/** RFC 7662: an application asks about one of its tokens. */
export const introspectEndpoint: FastifyPluginAsyncTypebox = async app => {
  app.post(
    '/introspect',
    {
      config: { role: 'anyone', scopes: [] },
      schema: { ...clientEndpoint, summary: 'Introspect a token', body: IntrospectionParameters, response: { 200: Introspection } }
    },
    async request => {
      const { token: secret } = request.body
      const [em, at] = [request.em, new Date()]
      const application = await authorize(em, request, request.body, at)

      if (!secret) throw new MissingParameter('token')
      const token = await findToken(em, secret)
      const isOwn = token?.grant.application?.id === application.id

      return token && isOwn ? describe(token, secret, at) : { active: false }
    }
  )
}

/** RFC 7662 §2.1: the endpoint requires authorization, a secret or another token, so that tokens cannot be scanned for. */
async function authorize(em: EntityManager, request: FastifyRequest, params: Parameters, at: Date): Promise<Client> {
  const bearer = readBearer(request)
  const application = bearer
    ? await applicationOf(em, bearer, params, at)
    : await authenticateClient(em, { params, authorization: request.headers.authorization })

  if (!application) throw new InvalidRequest(unauthorized)
  if (!bearer && !application.isConfidential) throw new InvalidClient()

  return application
}

const unauthorized = 'Request needs to be authorized. Required parameter for authorizing request is missing or invalid.'

async function applicationOf(em: EntityManager, bearer: string, { token }: Parameters, at: Date) {
  if (bearer === token) throw new InvalidRequest(unauthorized)

  return (await requireAccessToken(em, bearer, at)).grant.application
}

/** RFC 7662 §2.2: nothing is said about a token that is not active. */
function describe(token: OAuthToken, secret: string, at: Date) {
  const { grant, scopes, createdAt, expiresAt } = token
  const isAccessToken = hashSecret(secret).equals(token.accessHash)
  const isActive = isAccessToken ? !token.problem(at) : !token.isEnded()

  if (!isActive || grant.user?.isActive() === false) return { active: false }

  return {
    active: true,
    scope: scopes.join(' '),
    client_id: grant.application!.uid,
    ...(grant.user && { sub: String(grant.user.id) }),
    ...(isAccessToken && { token_type: 'bearer' as const, exp: Math.floor(expiresAt.getTime() / 1000) }),
    iat: Math.floor(createdAt.getTime() / 1000)
  }
}
