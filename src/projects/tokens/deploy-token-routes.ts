import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FilterQuery } from '@mikro-orm/core'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { findGroup, findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { createDeployToken, revokeDeployToken } from './change-deploy-tokens.ts'
import { activeDeployTokens, DeployToken } from './deploy-token.ts'
import { DeployTokenShape, DeployTokensQuery, NewDeployTokenBody, presentDeployToken } from './deploy-token-schemas.ts'
import { type TokenResource, tokensOf } from './resource-token.ts'

const ResourceId = Type.Object({ id: Type.String() })
const TokenId = Type.Object({ id: Type.String(), token_id: Type.Integer() })

/** Deploy tokens of projects and groups. */
export const deployTokenRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/deploy_tokens',
    {
      config: { role: 'admin' },
      schema: { summary: 'List all deploy tokens', querystring: DeployTokensQuery, response: { 200: Type.Array(DeployTokenShape) } }
    },
    async (request, reply) => {
      const tokens = await offsetPage(request, reply, listTokens(request.em, {}, request.query.active))

      return tokens.map(token => presentDeployToken(token, new Date()))
    }
  )
  await app.register(routesOf('project'))
  await app.register(routesOf('group'))
}

const resources = {
  project: { find: findProject, role: 'maintainer', minRole: Role.maintainer },
  group: { find: findGroup, role: 'owner', minRole: Role.owner }
} as const

function routesOf(type: TokenResource['type']): FastifyPluginAsyncTypebox {
  return async app => {
    const { find, role, minRole } = resources[type]
    const path = `/${type}s/:id/deploy_tokens`
    const guard = { config: { role } }
    const findResource = async (em: EntityManager, user: Viewer, id: string): Promise<TokenResource> => ({
      type,
      id: (await find(em, user, id, minRole)).id
    })
    const findToken = async (em: EntityManager, user: Viewer, { id, token_id: tokenId }: { id: string; token_id: number }) => {
      const token = await em.findOne(DeployToken, { id: tokenId, ...tokensOf(await findResource(em, user, id)) })

      if (!token) throw new NotFound('DeployToken')

      return token
    }

    app.get(
      path,
      {
        ...guard,
        schema: {
          summary: `List the deploy tokens of a ${type}`,
          params: ResourceId,
          querystring: DeployTokensQuery,
          response: { 200: Type.Array(DeployTokenShape) }
        }
      },
      async (request, reply) => {
        const resource = await findResource(request.em, request.user, request.params.id)
        const tokens = await offsetPage(request, reply, listTokens(request.em, tokensOf(resource), request.query.active))

        return tokens.map(token => presentDeployToken(token, new Date()))
      }
    )

    app.post(
      path,
      {
        ...guard,
        schema: {
          summary: `Create a deploy token of a ${type}`,
          params: ResourceId,
          body: NewDeployTokenBody,
          response: { 201: DeployTokenShape }
        }
      },
      async ({ em, user, actor, params, body }, reply) => {
        const at = new Date()
        const resource = await findResource(em, user, params.id)

        if (user.isBot()) throw new Forbidden()
        const { token, secret } = await createDeployToken(em, actor, resource, body, at)

        return reply.code(201).send(presentDeployToken(token, at, secret))
      }
    )

    app.get(
      `${path}/:token_id`,
      { ...guard, schema: { summary: `Get a deploy token of a ${type}`, params: TokenId, response: { 200: DeployTokenShape } } },
      async ({ em, user, params }) => presentDeployToken(await findToken(em, user, params), new Date())
    )

    app.delete(
      `${path}/:token_id`,
      {
        ...guard,
        config: { role, allowsReadOnly: true },
        schema: { summary: `Revoke a deploy token of a ${type}`, params: TokenId, response: { 204: Type.Null() } }
      },
      async ({ em, user, actor, params }, reply) => {
        const token = await findToken(em, user, params)

        await revokeDeployToken(em, actor, token, new Date())

        return reply.code(204).send(null)
      }
    )
  }
}

function listTokens(em: EntityManager, scope: FilterQuery<DeployToken>, active: boolean | undefined) {
  const isActive = activeDeployTokens(new Date())
  const where: FilterQuery<DeployToken> = { $and: [scope, active === undefined ? {} : active ? isActive : { $not: isActive }] }

  return entityRows(em, DeployToken, where)
}
