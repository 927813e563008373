import { type EntityManager, query } from '#platform/database/database.ts'

/** Rules keep the ids of their channels in a list. */
export async function removeFromRules(em: EntityManager, { id, projectId }: { id: number; projectId: number }) {
  await query(
    em,
    'UPDATE notification_rules SET channel_ids = array_remove(channel_ids, $2) WHERE project_id = $1 AND $2 = ANY (channel_ids)',
    [projectId, id]
  )
}
