import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'

/** Rules keep the ids of their channels in a list. */
export async function removeFromRules(em: EntityManager, { id, projectId }: { id: number; projectId: number }) {
  await query(
    em,
    'UPDATE notification_rules SET channel_ids = array_remove(channel_ids, $2) WHERE project_id = $1 AND $2 = ANY (channel_ids)',
    [projectId, id]
  )
}

export interface Failure {
  channelId: number
  projectId: number
  /** Of the channel. */
  name: string
  deliveryId: number
  answer: string
  at: Date
}

/** The active channels, of projects or of all, whose last delivery was given up, with its answer. The next success ends it. */
export async function findFailingChannels(em: EntityManager, projectIds?: number[]): Promise<Map<number, Failure>> {
  const { rows } = await sql<Failure>`
    SELECT c.id AS "channelId", c.project_id AS "projectId", c.name, d.id AS "deliveryId", coalesce(d.answer, '') AS answer, d.updated_at AS at
    FROM notification_channels c CROSS JOIN LATERAL (
      SELECT id, answer, status, updated_at FROM notification_deliveries
      WHERE channel_id = c.id AND status IN ('sent', 'failed') ORDER BY updated_at DESC, id DESC LIMIT 1
    ) d
    WHERE ${projectIds ? sql`c.project_id = ANY (${projectIds}::bigint[])` : sql`true`} AND c.is_active AND d.status = 'failed' ORDER BY d.updated_at DESC`.execute(
    em.getKysely()
  )

  return new Map(rows.map(row => [row.channelId, row]))
}
