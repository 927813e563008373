import { sql } from 'kysely'
import type { EntityManager } from '../../platform/database/database.ts'

export interface Failure {
  channelId: number
  deliveryId: number
  answer: string
  at: Date
}

/** The channels of a project whose last delivery was given up, with its answer. The next success ends it. */
export async function findFailingChannels(em: EntityManager, projectId: number): Promise<Map<number, Failure>> {
  const { rows } = await sql<{ channelId: string; deliveryId: string; answer: string | null; at: Date }>`
    SELECT c.id AS "channelId", d.id AS "deliveryId", d.answer, d.updated_at AS at
    FROM notification_channels c CROSS JOIN LATERAL (
      SELECT id, answer, status, updated_at FROM notification_deliveries
      WHERE channel_id = c.id AND status IN ('sent', 'failed') ORDER BY updated_at DESC, id DESC LIMIT 1
    ) d
    WHERE c.project_id = ${projectId} AND d.status = 'failed'`.execute(em.getKysely())

  return new Map(
    rows.map(row => [
      Number(row.channelId),
      { channelId: Number(row.channelId), deliveryId: Number(row.deliveryId), answer: row.answer ?? '', at: new Date(row.at) }
    ])
  )
}
