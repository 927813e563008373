import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

export interface Acknowledgement {
  /** Null for a deleted user. */
  username: string | null
  at: Date
}

/** Who acknowledged each of these alerts, by their latest status note; alerts without one are not in the map. */
export async function findAcknowledgements(em: EntityManager, alertIds: number[]) {
  if (alertIds.length === 0) return new Map<number, Acknowledgement>()
  const { rows } = await sql<Acknowledgement & { id: number }>`
    SELECT a.id, u.username, n.created_at AS at FROM unnest(${alertIds}::bigint[]) AS a (id) CROSS JOIN LATERAL (
      SELECT author_id, body, created_at FROM alert_notes WHERE alert_id = a.id AND action = 'status' ORDER BY id DESC LIMIT 1) n
    LEFT JOIN users u ON u.id = n.author_id
    WHERE n.body LIKE '%**acknowledged**'`.execute(em.getKysely())

  return new Map(rows.map(({ id, ...acknowledgement }) => [id, acknowledgement]))
}
