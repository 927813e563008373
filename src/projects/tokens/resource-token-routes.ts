import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import type { AccessToken } from '#identity/tokens/access-token.ts'
import { listTokens } from '#identity/tokens/list-tokens.ts'
import { revokeToken } from '#identity/tokens/revoke-token.ts'
import { rotateToken } from '#identity/tokens/rotate-token.ts'
import { NewTokenBody, ResourceTokenShape, RotateBody, TokensQuery } from '#identity/tokens/token-schemas.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '../members/member.ts'
import {
  findResourceToken,
  findTokenResource,
  issueResourceToken,
  presentResourceTokens,
  roleOfToken,
  type TokenResource,
  tokensOf
} from './resource-token.ts'

const ResourceId = Type.Object({ id: Type.String() })
const TokenId = Type.Object({ id: Type.String(), token_id: Type.Integer() })
const NewResourceTokenBody = Type.Object({
  ...NewTokenBody.properties,
  access_level: Type.Optional(Type.Enum([...Object.values(Role)]))
})

export const projectTokenRoutes = routesFor('project')
export const groupTokenRoutes = routesFor('group')

/** Access tokens of a project or group, whose role is at most the creator's own. */
function routesFor(type: TokenResource['type']): FastifyPluginAsyncTypebox {
  return async app => {
    const path = `/${type}s/:id/access_tokens`
    const role = type === 'group' ? ('owner' as const) : ('maintainer' as const)
    const guard = { config: { role } }

    app.get(
      path,
      {
        ...guard,
        schema: {
          summary: `List the access tokens of a ${type}`,
          params: ResourceId,
          querystring: TokensQuery,
          response: { 200: Type.Array(ResourceTokenShape) }
        }
      },
      async (request, reply) => {
        const now = new Date()
        const resource = await findTokenResource(request.em, request.user, type, request.params.id)
        const tokens = await offsetPage(request, reply, listTokens(request.em, tokensOf(resource), request.query, now))

        return presentResourceTokens(request.em, resource, tokens, now)
      }
    )

    app.post(
      path,
      {
        ...guard,
        schema: {
          summary: `Create an access token of a ${type}`,
          params: ResourceId,
          body: NewResourceTokenBody,
          response: { 201: ResourceTokenShape }
        }
      },
      async ({ em, user, actor, params, body }, reply) => {
        const { access_level: role = Role.maintainer, ...input } = body
        const resource = await findTokenResource(em, user, type, params.id, role)

        if (user.isBot()) throw new Forbidden()
        const { token, secret } = await issueResourceToken(em, actor, { resource, role, creator: user }, input, new Date())

        return reply.code(201).send(await present(em, resource, token, secret))
      }
    )

    app.get(
      `${path}/:token_id`,
      {
        ...guard,
        schema: { summary: `Get an access token of a ${type}`, params: TokenId, response: { 200: ResourceTokenShape } }
      },
      async ({ em, user, params }) => {
        const resource = await findTokenResource(em, user, type, params.id)

        return present(em, resource, await findResourceToken(em, resource, params.token_id))
      }
    )

    app.delete(
      `${path}/:token_id`,
      {
        ...guard,
        config: { ...guard.config, allowsReadOnly: true },
        schema: { summary: `Revoke an access token of a ${type}`, params: TokenId, response: { 204: Type.Null() } }
      },
      async ({ em, user, actor, params }, reply) => {
        const resource = await findTokenResource(em, user, type, params.id)
        const token = await findResourceToken(em, resource, params.token_id)

        await revokeToken(em, actor, token, new Date())

        return reply.code(204).send(null)
      }
    )

    app.post(
      `${path}/:token_id/rotate`,
      {
        config: { role, rotatesToken: true },
        schema: { summary: `Rotate an access token of a ${type}`, params: TokenId, body: RotateBody, response: { 201: ResourceTokenShape } }
      },
      async ({ em, user, actor, params, body }, reply) => {
        const { id, token_id: tokenId } = params
        const resource = await findTokenResource(em, user, type, id)
        const current = await findResourceToken(em, resource, tokenId)

        // The new secret must not grant more than the caller's own role.
        await findTokenResource(em, user, type, id, await roleOfToken(em, resource, current))
        const { token, secret } = await rotateToken(em, actor, tokenId, body.expires_at, new Date())

        return reply.code(201).send(await present(em, resource, token, secret))
      }
    )
  }
}

async function present(em: EntityManager, resource: TokenResource, token: AccessToken, secret?: string) {
  const [presented] = await presentResourceTokens(em, resource, [token], new Date(), secret)

  return presented!
}
