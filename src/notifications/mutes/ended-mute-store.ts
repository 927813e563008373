import type { OutboxKind } from '#outbox/outbox-entry.ts'
import { type EntityManager, query } from '#platform/database/database.ts'

interface EndedMute {
  id: number
  endsAt: Date
}

/** The mutes that ended before a time and were not reported yet. They count as reported once the transaction commits. */
export async function takeEndedMutes(em: EntityManager, before: Date, at: Date, limit: number): Promise<EndedMute[]> {
  return query<EndedMute>(
    em,
    `UPDATE notification_mutes SET reported_at = $2
     WHERE id IN (SELECT id FROM notification_mutes WHERE reported_at IS NULL AND ends_at <= $1 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id, ends_at AS "endsAt"`,
    [before.toISOString(), at.toISOString(), limit]
  )
}

interface Firing {
  muteId: number
  projectId: number
  kind: OutboxKind
  subjectId: number
}

/** Alerts that are still triggered, and incidents that are still open, among what mutes hold. */
export async function findFiring(em: EntityManager, muteIds: number[]) {
  return query<Firing>(
    em,
    `SELECT DISTINCT d.mute_id AS "muteId", o.project_id AS "projectId", o.kind, o.subject_id AS "subjectId"
     FROM notification_deliveries d
     JOIN notification_delivery_entries e ON e.delivery_id = d.id
     JOIN outbox o ON o.id = e.outbox_id
     LEFT JOIN alerts a ON o.kind = 'alert.triggered' AND a.id = o.subject_id
     LEFT JOIN issues i ON o.kind = 'issue.opened' AND i.id = o.subject_id AND i.issue_type = 'incident'
     WHERE d.mute_id = ANY ($1::bigint[]) AND d.status = 'held' AND (a.status = 'triggered' OR i.state = 'opened')
     ORDER BY o.kind, o.subject_id`,
    [muteIds]
  )
}

/** How many messages each mute of a project holds, for those that hold any. */
export async function countHeld(em: EntityManager, projectId: number) {
  const rows = await query<{ muteId: number; count: number }>(
    em,
    `SELECT mute_id AS "muteId", count(*) FROM notification_deliveries
     WHERE mute_id IN (SELECT id FROM notification_mutes WHERE project_id = $1) AND status = 'held' GROUP BY mute_id`,
    [projectId]
  )

  return new Map(rows.map(({ muteId, count }) => [muteId, count]))
}

export async function holdsMessages(em: EntityManager, muteId: number) {
  const rows = await query(em, `SELECT 1 FROM notification_deliveries WHERE mute_id = $1 AND status = 'held' LIMIT 1`, [muteId])

  return rows.length > 0
}
