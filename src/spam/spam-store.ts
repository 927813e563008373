import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { type EntityManager, query } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import type { SpamKind } from './spam-log.ts'

/** Hash of the text, or of the title if there is no text; ignores case and spaces. */
export function hashText({ title, text }: { title: string; text: string }) {
  const normal = (text.trim() || title).toLowerCase().replaceAll(/\s+/g, ' ').trim()

  return createHash('sha256').update(normal).digest()
}

export async function noteText(em: EntityManager, userId: number, hash: Buffer) {
  await query(em, 'INSERT INTO spam_texts (user_id, text_hash) VALUES ($1, $2)', [userId, hash])
}

export async function wasWritten(em: EntityManager, userId: number, hash: Buffer, since: Date) {
  const statement = 'SELECT 1 FROM spam_texts WHERE user_id = $1 AND text_hash = $2 AND created_at > $3 LIMIT 1'

  return (await query(em, statement, [userId, hash, since])).length > 0
}

export interface NewSpamLog {
  userId: number
  kind: SpamKind
  title: string
  text: string
  reason: string
  ip: string
  userAgent: string
  viaApi: boolean
}

/** Outside of the transaction that it refuses, and of the ORM's pool: that transaction waits for it. */
export async function addSpamLog(pool: pg.Pool, { userId, kind, title, text, reason, ip, userAgent, viaApi }: NewSpamLog) {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO spam_logs (user_id, kind, title, text, reason, ip_address, user_agent, via_api, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now(), now()) RETURNING id`,
    [userId, kind, title, text, reason, ip, userAgent, viaApi]
  )

  return rows[0]!.id
}

export async function noteServiceFailure(em: EntityManager, message: string) {
  await query(
    em,
    `INSERT INTO spam_service_failures (failed_at, message) VALUES (now(), $1)
     ON CONFLICT (id) DO UPDATE SET failed_at = excluded.failed_at, message = excluded.message`,
    [message.slice(0, 500)]
  )
}

export async function findServiceFailure(em: EntityManager) {
  const [row] = await query<{ failedAt: Date; message: string }>(em, 'SELECT failed_at AS "failedAt", message FROM spam_service_failures')

  return row
}

export async function deleteOldTexts(em: EntityManager, at: Date) {
  await deleteInBatches(em, {
    table: 'spam_texts',
    key: 'id',
    where: "created_at < $1::timestamptz - interval '1 hour'",
    params: [at.toISOString()]
  })
}

export async function deleteOldSpamLogs(em: EntityManager, at: Date) {
  await deleteInBatches(em, {
    table: 'spam_logs',
    key: 'id',
    where: "created_at < $1::timestamptz - interval '90 days'",
    params: [at.toISOString()]
  })
}

/** Whether a user belongs to a group or project that another user maintains or owns, so that others know the user. */
export async function belongsToOthers(em: EntityManager, userId: number) {
  const { rows } = await sql`
    SELECT 1 FROM memberships m
     JOIN namespaces n ON n.id = coalesce(m.group_id, (SELECT p.namespace_id FROM projects p WHERE p.id = m.project_id))
     JOIN memberships other
       ON other.user_id <> m.user_id AND other.access_level >= 40 AND (other.group_id = ANY (n.lineage) OR other.project_id = m.project_id)
     WHERE m.user_id = ${userId} AND coalesce(m.expires_at >= (now() AT TIME ZONE 'UTC')::date, true)
     LIMIT 1`.execute(em.getKysely())

  return rows.length > 0
}
