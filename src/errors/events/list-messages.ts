import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectEvents } from './select-events.ts'

/** The latest events that are messages instead of exceptions. They are in the groups that were seen last. */
export async function listMessages(em: EntityManager, projectId: number, limit: number) {
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
