import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { perPageOf } from '#api/pagination/offset.ts'
import { objectOrEmpty, textOrEmpty } from '#lib/json.ts'
import { Nullable } from '#lib/nullable.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { ProjectId, page } from '../groups/group-schemas.ts'
import { plainId } from '../groups/present-group.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { readPayload } from './payload.ts'
import { selectEvents } from './select-events.ts'

const MessageShape = Type.Object({
  project_id: Type.Integer(),
  event_id: Type.String(),
  timestamp: Type.String(),
  level: Type.String(),
  message: Type.String(),
  release: Nullable(Type.String()),
  environment: Nullable(Type.String()),
  platform: Nullable(Type.String())
})

export const messageRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  app.get(
    `${path}/messages`,
    {
      config: { role: 'developer' },
      schema: {
        summary: 'List the latest messages: events without an exception',
        params: ProjectId,
        querystring: Type.Object({ per_page: page.per_page, limit: page.limit }),
        response: { 200: Type.Array(MessageShape) }
      }
    },
    async ({ em, user, params, query }) => {
      const project = await findMonitoredProject(em, user, params.id, Role.developer)
      const rows = await listMessages(em, project.id, perPageOf(query))

      return rows.map(({ event_id, occurred_at, payload, level, release, environment, platform }) => ({
        project_id: project.id,
        event_id: plainId(event_id)!,
        timestamp: writeTime(occurred_at),
        level,
        message: messageOf(readPayload(payload)),
        release,
        environment,
        platform
      }))
    }
  )
}

function messageOf({ logentry }: Record<string, unknown>) {
  const { formatted, message } = objectOrEmpty(logentry)

  return textOrEmpty(formatted) || textOrEmpty(message)
}

/** The latest events that are messages instead of exceptions. They are in the groups that were seen last. */
async function listMessages(em: EntityManager, projectId: number, limit: number) {
  const groups = await em
    .getKysely<Tables>()
    .selectFrom('error_groups')
    .select('id')
    .where('project_id', '=', projectId)
    .where('is_message', '=', true)
    .orderBy('last_seen_at', 'desc')
    .limit(limit)
    .execute()

  if (groups.length === 0) return []
  const groupIds = groups.map(({ id }) => id)

  return selectEvents(em, { projectId, groupIds, limit }, ['level', 'release', 'environment', 'platform', 'payload']).execute()
}
