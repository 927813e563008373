import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import type { Actor } from '#audit/record-audit-event.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Nullable } from '#lib/nullable.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { GroupDetails } from '../groups/group-schemas.ts'
import { renderGroup } from '../groups/render-group.ts'
import { AccessLevel, ById } from '../schemas.ts'
import { shareWithGroup, unshareWithGroup } from './change-shares.ts'
import { Day, readExpiryDate } from './member-schemas.ts'
import { findMemberSource, type SourceKind } from './member-source.ts'

const ShareBody = Type.Object({ group_id: Type.Integer(), group_access: AccessLevel, expires_at: Day })
const ShareParams = Type.Object({ ...ById.properties, group_id: Type.Integer() })

const ProjectShareShape = Type.Object({
  id: Type.Integer(),
  project_id: Type.Integer(),
  group_id: Type.Integer(),
  group_access: Type.Integer(),
  expires_at: Nullable(Type.String())
})

/** Sharing of projects and groups with groups. */
export const shareRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.post(
    '/projects/:id/share',
    {
      config: { role: 'maintainer', additionalStatuses: [409] },
      schema: { summary: 'Share a project with a group', params: ById, body: ShareBody, response: { 201: ProjectShareShape } }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const { source, share } = await shareSource(em, user, 'projects', params.id, body, actor)
      const { group_id, group_access } = body

      return reply.code(201).send({ id: share.id, project_id: source.id, group_id, group_access, expires_at: share.expiresAt ?? null })
    }
  )

  app.post(
    '/groups/:id/share',
    {
      config: { role: 'owner', additionalStatuses: [409] },
      schema: { summary: 'Share a group with another group', params: ById, body: ShareBody, response: { 201: GroupDetails } }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const { source } = await shareSource(em, user, 'groups', params.id, body, actor)

      return reply.code(201).send(await renderGroup(em, source.id, user, config.baseUrl))
    }
  )

  for (const [kind, role] of [
    ['projects', 'maintainer'],
    ['groups', 'owner']
  ] as const) {
    app.delete(
      `/${kind}/:id/share/:group_id`,
      {
        config: { role, allowsReadOnly: true },
        schema: { summary: 'Stop sharing with a group', params: ShareParams, response: { 204: Type.Null() } }
      },
      async ({ em, user, actor, params }, reply) => {
        const source = await findMemberSource(em, user, kind, params.id)

        await unshareWithGroup(em, source, params.group_id, actor)

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
