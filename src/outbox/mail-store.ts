import { type EntityManager, query } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'

export type MailKind = 'invitation' | 'access.requested' | 'access.granted' | 'access.denied'

/** A mail to one person about access to a project or a group. */
export interface NewMail {
  kind: MailKind
  place: { type: 'Project' | 'Group'; id: number }
  /** The recipient, unless it is the address of an invitation. */
  userId?: number
  invitationId?: number
  /** Who invited, asked or decided. */
  actorId?: number | null
  accessLevel?: number
  /** Deduplicates: a mail with a known key is dropped. */
  key?: string
}

export interface StoredMail {
  id: number
  kind: MailKind
  projectId: number | null
  groupId: number | null
  userId: number | null
  invitationId: number | null
  actorId: number | null
  accessLevel: number | null
}

/** Writes a mail in the caller's transaction, as `addToOutbox`. */
export async function addMail(em: EntityManager, { kind, place, userId, invitationId, actorId, accessLevel, key }: NewMail) {
  const [projectId, groupId] = place.type === 'Project' ? [place.id, null] : [null, place.id]

  await query(
    em,
    `WITH added AS (
       INSERT INTO mails (kind, project_id, group_id, user_id, invitation_id, actor_id, access_level, key)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (key) DO NOTHING RETURNING id
     )
     SELECT pg_notify(current_schema() || '_outbox', '') FROM added`,
    [kind, projectId, groupId, userId ?? null, invitationId ?? null, actorId ?? null, accessLevel ?? null, key ?? null]
  )
}

/** Mails whose job is to be enqueued: new ones, and those whose job was lost. */
export async function takeMails(em: EntityManager, limit: number, overdueMs: number) {
  const rows = await query<{ id: number }>(
    em,
    `UPDATE mails SET dispatched_at = now()
     WHERE id IN (SELECT id FROM mails WHERE ended_at IS NULL AND coalesce(dispatched_at < now() - $2 * interval '1 ms', true)
       ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [limit, overdueMs]
  )

  return rows.map(({ id }) => id).sort((one, other) => one - other)
}

/** A mail that was neither sent nor given up; undefined otherwise. */
export async function findOpenMail(em: EntityManager, id: number): Promise<StoredMail | undefined> {
  const [row] = await query<StoredMail>(
    em,
    `SELECT id, kind, project_id AS "projectId", group_id AS "groupId", user_id AS "userId", invitation_id AS "invitationId",
       actor_id AS "actorId", access_level AS "accessLevel" FROM mails WHERE id = $1 AND ended_at IS NULL`,
    [id]
  )

  return row
}

export async function endMail(em: EntityManager, id: number, outcome: 'sent' | 'failed' | 'discarded', at: Date) {
  await query(em, 'UPDATE mails SET ended_at = $2, outcome = $3 WHERE id = $1 AND ended_at IS NULL', [id, at.toISOString(), outcome])
}

/** Invitations that were mailed within the last hour: for the place, and by the user. */
export async function countRecentInvitations(em: EntityManager, { type, id }: NewMail['place'], actorId: number | null) {
  const [row] = await query<{ place: number; actor: number }>(
    em,
    `SELECT count(*) FILTER (WHERE ${type === 'Project' ? 'project_id' : 'group_id'} = $1) AS place, count(*) FILTER (WHERE actor_id = $2) AS actor
     FROM mails WHERE kind = 'invitation' AND created_at > now() - interval '1 hour'
       AND (${type === 'Project' ? 'project_id' : 'group_id'} = $1 OR actor_id = $2)`,
    [id, actorId]
  )

  return Math.max(row!.place, row!.actor)
}

export async function deleteOldMails(em: EntityManager, at: Date) {
  const isOld = "created_at < $1::timestamptz - interval '30 days'"

  await deleteInBatches(em, { table: 'mails', key: 'id', where: isOld, params: [at.toISOString()] })
}
