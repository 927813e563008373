import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { ById } from '../schemas.ts'
import { removeMember, updateMember } from './change-members.ts'
import { listMembers } from './list-members.ts'
import { MemberBody, MemberParams, MemberShape, MembersQuery, presentMember, readExpiryDate } from './member-schemas.ts'
import { findMemberSource, type MemberSource, type SourceKind } from './member-source.ts'

/** The members of a project or group. */
export const memberRoutes: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { config } = app.platform
  const path = `/${kind}/:id/members`
  const guard = { config: { role: kind === 'groups' ? ('owner' as const) : ('maintainer' as const) } }

  for (const [suffix, isInherited, members] of [
    ['', false, 'members'],
    ['/all', true, 'members, including inherited ones']
  ] as const) {
    app.get(
      `${path}${suffix}`,
      {
        config: { role: 'anyone' },
        schema: {
          summary: `List ${members}`,
          params: ById,
          querystring: MembersQuery,
          response: { 200: Type.Array(MemberShape) }
        }
      },
      async (request, reply) => {
        const source = await findMemberSource(request.em, request.viewer, kind, request.params.id)
        const { query: search, user_ids: userIds, skip_users: skip } = request.query
        const rows = await offsetPage(request, reply, listMembers(request.em, source, { isInherited, search, userIds, skip }))

        return rows.map(row => presentMember(row, config.baseUrl))
      }
    )

    app.get(
      `${path}${suffix}/:user_id`,
      {
        config: { role: 'anyone' },
        schema: { summary: `Get one of the ${members}`, params: MemberParams, response: { 200: MemberShape } }
      },
      async ({ em, viewer, params }) => {
        const source = await findMemberSource(em, viewer, kind, params.id)

        return loadMember(em, source, params.user_id, config.baseUrl, isInherited)
      }
    )
  }

  app.put(
    `${path}/:user_id`,
    {
      ...guard,
      schema: { summary: "Update a member's role or expiry date", params: MemberParams, body: MemberBody, response: { 200: MemberShape } }
    },
    async ({ em, user, actor, params, body }) => {
      const source = await findMemberSource(em, user, kind, params.id)
      const { user_id: userId } = params
      const { access_level: accessLevel, expires_at: expiresAt } = body

      await updateMember(em, source, userId, { accessLevel, expiresAt: readExpiryDate(expiresAt) }, actor)

      return loadMember(em, source, userId, config.baseUrl)
    }
  )

  app.delete(
    `${path}/:user_id`,
    {
      ...guard,
      config: { ...guard.config, allowsReadOnly: true },
      schema: { summary: 'Remove a member, or leave', params: MemberParams, response: { 204: Type.Null() } }
    },
    async ({ em, user, actor, params }, reply) => {
      const source = await findMemberSource(em, user, kind, params.id)

      await removeMember(em, source, params.user_id, actor)

      return reply.code(204).send(null)
    }
  )
}

export async function loadMember(em: EntityManager, source: MemberSource, userId: number, baseUrl: string, isInherited = false) {
  const [row] = await listMembers(em, source, { userId, isInherited }).list(1)

  if (!row) throw new NotFound('Member')

  return presentMember(row, baseUrl)
}
