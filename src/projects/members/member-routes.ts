import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { offsetPage } from '../../http/pagination/offset.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf, viewerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findHome, type Home, type Kind } from '../groups/parent-namespace.ts'
import { ById } from '../schemas.ts'
import { readLastDay } from './expiry-date.ts'
import { members } from './list-members.ts'
import { MemberBody, MemberParams, MemberShape, MembersQuery, presentMember } from './member-schemas.ts'
import { changeMember, removeMember } from './membership.ts'

/** Who belongs to a project or a group, and in which role. */
export const memberRoutes: FastifyPluginAsyncTypebox<{ kind: Kind }> = async (app, { kind }) => {
  const { config, fork } = app.platform
  const path = `/${kind}/:id/members`

  for (const [suffix, isInherited, those] of [
    ['', false, 'members'],
    ['/all', true, 'members, those of the groups above included']
  ] as const) {
    app.get(
      `${path}${suffix}`,
      {
        onRequest: app.allowAnyone,
        config: { role: 'anyone' },
        schema: {
          summary: `The ${those}`,
          params: ById,
          querystring: MembersQuery,
          response: { 200: Type.Array(MemberShape) }
        }
      },
      async (request, reply) => {
        const em = fork()
        const home = await findHome(em, viewerOf(request), kind, request.params.id)
        const { query: search, user_ids: userIds, skip_users: skip } = request.query
        const rows = await offsetPage(request, reply, members(em, home, { isInherited, search, userIds, skip }))

        return rows.map(row => presentMember(row, config.baseUrl))
      }
    )

    app.get(
      `${path}${suffix}/:user_id`,
      {
        onRequest: app.allowAnyone,
        config: { role: 'anyone' },
        schema: { summary: `One of the ${those}`, params: MemberParams, response: { 200: MemberShape } }
      },
      async request => {
        const em = fork()
        const home = await findHome(em, viewerOf(request), kind, request.params.id)

        return showMember(em, home, request.params.user_id, config.baseUrl, isInherited)
      }
    )
  }

  app.put(
    `${path}/:user_id`,
    {
      onRequest: app.requireUser,
      config: { role: kind === 'groups' ? 'owner' : 'maintainer' },
      schema: { summary: 'Change a member’s role or last day', params: MemberParams, body: MemberBody, response: { 200: MemberShape } }
    },
    async request => {
      const em = fork()
      const home = await findHome(em, callerOf(request), kind, request.params.id)
      const { user_id: userId } = request.params
      const { access_level: accessLevel, expires_at: expiresAt } = request.body

      await changeMember(em, home, userId, { accessLevel, expiresAt: readLastDay(expiresAt) }, actorOf(request))

      return showMember(em, home, userId, config.baseUrl)
    }
  )

  app.delete(
    `${path}/:user_id`,
    {
      onRequest: app.requireUser,
      config: { role: kind === 'groups' ? 'owner' : 'maintainer' },
      schema: { summary: 'Remove a member, or leave', params: MemberParams, response: { 204: Type.Null() } }
    },
    async (request, reply) => {
      const em = fork()
      const home = await findHome(em, callerOf(request), kind, request.params.id)

      await removeMember(em, home, request.params.user_id, actorOf(request))

      return reply.code(204).send(null)
    }
  )
}

export async function showMember(em: EntityManager, home: Home, userId: number, baseUrl: string, isInherited = false) {
  const [row] = await members(em, home, { userId, isInherited }).list(1)

  if (!row) throw new NotFound('Member')

  return presentMember(row, baseUrl)
}
