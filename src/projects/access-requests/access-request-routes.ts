import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { authorizeChange } from '../members/change-members.ts'
import { Role } from '../members/member.ts'
import { loadMember } from '../members/member-routes.ts'
import { MemberParams, MemberShape } from '../members/member-schemas.ts'
import { findMemberSource, type SourceKind } from '../members/member-source.ts'
import { AccessLevel, ById, Person } from '../schemas.ts'
import { approveRequest, denyRequest, requestAccess } from './change-access-requests.ts'
import { listAccessRequests, presentRequest } from './list-access-requests.ts'

const AccessRequestShape = Type.Object({ ...Person.properties, requested_at: Type.String() })

/** Users ask for access to a project or a group; those who manage its members approve. */
export const accessRequestRoutes: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { config } = app.platform
  const path = `/${kind}/:id/access_requests`
  const manager = { config: { role: kind === 'groups' ? ('owner' as const) : ('maintainer' as const) } }

  app.get(
    path,
    {
      ...manager,
      schema: {
        summary: 'List access requests',
        params: ById,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(AccessRequestShape) }
      }
    },
    async (request, reply) => {
      const source = await findMemberSource(request.em, request.user, kind, request.params.id)

      authorizeChange(source)
      const rows = await offsetPage(request, reply, listAccessRequests(request.em, source))

      return rows.map(({ user, requested_at: at }) => presentRequest(user!, at, config.baseUrl))
    }
  )

  app.post(
    path,
    {
      config: { role: 'guest' },
      schema: { summary: 'Request access, as the caller', params: ById, response: { 201: AccessRequestShape } }
    },
    async ({ em, user, actor, params }, reply) => {
      const source = await findMemberSource(em, user, kind, params.id)
      const at = await requestAccess(em, source, user, actor)

      return reply.code(201).send(presentRequest(user, at, config.baseUrl))
    }
  )

  app.put(
    `${path}/:user_id/approve`,
    {
      ...manager,
      config: { ...manager.config, additionalStatuses: [409] },
      schema: {
        summary: 'Approve an access request',
        params: MemberParams,
        body: Type.Object({ access_level: Type.Optional(AccessLevel) }, { description: 'Defaults to developer.' }),
        response: { 201: MemberShape }
      }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const source = await findMemberSource(em, user, kind, params.id)
      const { user_id: userId } = params

      await approveRequest(em, source, userId, body.access_level ?? Role.developer, actor)

      return reply.code(201).send(await loadMember(em, source, userId, config.baseUrl))
    }
  )

  app.delete(
    `${path}/:user_id`,
    {
      ...manager,
      config: { ...manager.config, allowsReadOnly: true },
      schema: { summary: 'Deny an access request, or withdraw it', params: MemberParams, response: { 204: Type.Null() } }
    },
    async ({ em, user, actor, params }, reply) => {
      const source = await findMemberSource(em, user, kind, params.id)

      await denyRequest(em, source, params.user_id, actor)

      return reply.code(204).send(null)
    }
  )
}
