import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf } from '../../../audit/record-audit-event.ts'
import { offsetPage } from '../../../http/pagination/offset.ts'
import { Forbidden } from '../../../http/problems/problems.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import { Role } from '../../../projects/members/member.ts'
import { callerOf } from '../../identify.ts'
import type { AccessToken } from '../access-token.ts'
import { listTokens } from '../list-tokens.ts'
import { findResourceToken, issueResourceToken, presentResourceTokens, roleOfToken, within } from '../resource-token.ts'
import { revokeToken } from '../revoke-token.ts'
import { rotateToken } from '../rotate-token.ts'
import { findTokenResource, type TokenResource } from '../token-resource.ts'
import { NewTokenBody, ResourceTokenShape, RotateBody, TokensQuery } from '../token-schemas.ts'

const ResourceId = Type.Object({ id: Type.String() })
const TokenId = Type.Object({ id: Type.String(), token_id: Type.Integer() })
const NewResourceTokenBody = Type.Object({
  ...NewTokenBody.properties,
  access_level: Type.Optional(Type.Enum([...Object.values(Role)]))
})

export const projectTokenRoutes = routesFor('project')
export const groupTokenRoutes = routesFor('group')

/** The tokens of a project or group: for those who look after it, and with no more than their own role. */
function routesFor(type: TokenResource['type']): FastifyPluginAsyncTypebox {
  return async app => {
    const { fork } = app.platform
    const path = `/${type}s/:id/access_tokens`

    app.get(
      path,
      {
        onRequest: app.requireUser,
        config: { role: type === 'group' ? 'owner' : 'maintainer' },
        schema: {
          summary: `The tokens of a ${type}`,
          params: ResourceId,
          querystring: TokensQuery,
          response: { 200: Type.Array(ResourceTokenShape) }
        }
      },
      async (request, reply) => {
        const em = fork()
        const now = new Date()
        const resource = await findTokenResource(em, callerOf(request), type, request.params.id)
        const tokens = await offsetPage(request, reply, listTokens(em, within(resource), request.query, now))

        return presentResourceTokens(em, resource, tokens, now)
      }
    )

    app.post(
      path,
      {
        onRequest: app.requireUser,
        config: { role: type === 'group' ? 'owner' : 'maintainer' },
        schema: {
          summary: `Make a token for a ${type}`,
          params: ResourceId,
          body: NewResourceTokenBody,
          response: { 201: ResourceTokenShape }
        }
      },
      async (request, reply) => {
        const em = fork()
        const maker = callerOf(request)
        const { access_level: role = Role.maintainer, ...wanted } = request.body
        const resource = await findTokenResource(em, maker, type, request.params.id, role)

        if (maker.isBot()) throw new Forbidden()
        const { token, secret } = await issueResourceToken(em, actorOf(request), { resource, role, maker }, wanted, new Date())

        return reply.code(201).send(await present(em, resource, token, secret))
      }
    )

    app.get(
      `${path}/:token_id`,
      {
        onRequest: app.requireUser,
        config: { role: type === 'group' ? 'owner' : 'maintainer' },
        schema: { summary: `A token of a ${type}`, params: TokenId, response: { 200: ResourceTokenShape } }
      },
      async request => {
        const em = fork()
        const resource = await findTokenResource(em, callerOf(request), type, request.params.id)

        return present(em, resource, await findResourceToken(em, resource, request.params.token_id))
      }
    )

    app.delete(
      `${path}/:token_id`,
      {
        onRequest: app.requireUser,
        config: { role: type === 'group' ? 'owner' : 'maintainer' },
        schema: { summary: `Revoke a token of a ${type}`, params: TokenId, response: { 204: Type.Null() } }
      },
      async (request, reply) => {
        const em = fork()
        const resource = await findTokenResource(em, callerOf(request), type, request.params.id)
        const token = await findResourceToken(em, resource, request.params.token_id)

        await revokeToken(em, actorOf(request), token, new Date())

        return reply.code(204).send(null)
      }
    )

    app.post(
      `${path}/:token_id/rotate`,
      {
        onRequest: app.requireUser,
        config: { role: type === 'group' ? 'owner' : 'maintainer', rotatesToken: true },
        schema: { summary: `Replace a token of a ${type}`, params: TokenId, body: RotateBody, response: { 201: ResourceTokenShape } }
      },
      async (request, reply) => {
        const em = fork()
        const { id, token_id: tokenId } = request.params
        const resource = await findTokenResource(em, callerOf(request), type, id)
        const former = await findResourceToken(em, resource, tokenId)

        // Whoever gets the new secret can act with its role: that must not be more than their own.
        await findTokenResource(em, callerOf(request), type, id, await roleOfToken(em, resource, former))
        const { token, secret } = await rotateToken(em, actorOf(request), tokenId, request.body.expires_at, new Date())

        return reply.code(201).send(await present(em, resource, token, secret))
      }
    )
  }
}

async function present(em: EntityManager, resource: TokenResource, token: AccessToken, secret?: string) {
  const [shown] = await presentResourceTokens(em, resource, [token], new Date(), secret)

  return shown!
}
