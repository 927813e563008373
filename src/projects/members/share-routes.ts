import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { type Actor, actorOf } from '#audit/record-audit-event.ts'
import { callerOf } from '#identity/identify.ts'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { GroupDetails } from '../groups/group-schemas.ts'
import { renderGroup } from '../groups/render-group.ts'
import { ById } from '../schemas.ts'
import { shareWithGroup, unshareWithGroup } from './change-shares.ts'
import { readExpiryDate } from './member-schemas.ts'
import { findMemberSource, type SourceKind } from './member-source.ts'
import { ProjectShareShape, ShareBody, ShareParams } from './share-schemas.ts'

/** Sharing of projects and groups with groups. */
export const shareRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform

  app.post(
    '/projects/:id/share',
    {
      onRequest: app.requireUser,
      config: { role: 'maintainer', additionalStatuses: [409] },
      schema: { summary: 'Share a project with a group', params: ById, body: ShareBody, response: { 201: ProjectShareShape } }
    },
    async (request, reply) => {
      const { source, share } = await shareSource(fork(), callerOf(request), 'projects', request.params.id, request.body, actorOf(request))
      const { group_id, group_access } = request.body

      return reply.code(201).send({ id: share.id, project_id: source.id, group_id, group_access, expires_at: share.expiresAt ?? null })
    }
  )

  app.post(
    '/groups/:id/share',
    {
      onRequest: app.requireUser,
      config: { role: 'owner', additionalStatuses: [409] },
      schema: { summary: 'Share a group with another group', params: ById, body: ShareBody, response: { 201: GroupDetails } }
    },
    async (request, reply) => {
      const em = fork()
      const viewer = callerOf(request)
      const { source } = await shareSource(em, viewer, 'groups', request.params.id, request.body, actorOf(request))

      return reply.code(201).send(await renderGroup(em, source.id, viewer, config.baseUrl))
    }
  )

  for (const [kind, role] of [
    ['projects', 'maintainer'],
    ['groups', 'owner']
  ] as const) {
    app.delete(
      `/${kind}/:id/share/:group_id`,
      {
        onRequest: app.requireUser,
        config: { role, allowsReadOnly: true },
        schema: { summary: 'Stop sharing with a group', params: ShareParams, response: { 204: Type.Null() } }
      },
      async (request, reply) => {
        const em = fork()
        const source = await findMemberSource(em, callerOf(request), kind, request.params.id)

        await unshareWithGroup(em, source, request.params.group_id, actorOf(request))

        return reply.code(204).send(null)
      }
    )
  }
}

async function shareSource(em: EntityManager, viewer: Viewer, kind: SourceKind, id: string, body: Static<typeof ShareBody>, by: Actor) {
  const source = await findMemberSource(em, viewer, kind, id)
  const expiresAt = readExpiryDate(body.expires_at) ?? null

  return {
    source,
    share: await shareWithGroup(em, source, viewer, { groupId: body.group_id, accessLevel: body.group_access, expiresAt }, by)
  }
}
