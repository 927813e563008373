import { sql } from 'kysely'
import { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'

export async function findByConfirmedEmail(em: EntityManager, email: string) {
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u WHERE u.kind = 'human' AND (
      (lower(u.email) = ${email.toLowerCase()} AND u.confirmed_at IS NOT NULL)
      OR u.id IN (SELECT e.user_id FROM user_emails e WHERE lower(e.email) = ${email.toLowerCase()} AND e.confirmed_at IS NOT NULL))`.execute(
    em.getKysely()
  )

  return rows[0] && em.findOneOrFail(User, { id: rows[0].id })
}

/** Open invitations to addresses that users have confirmed, of one user or of all, with that user. */
export async function findConfirmed(em: EntityManager, userId: number | undefined, at: Date, limit: number) {
  const { rows } = await sql<{ id: number; user_id: number }>`
    SELECT i.id, a.user_id FROM invitations i JOIN (
      SELECT id AS user_id, lower(email) AS email, confirmed_at FROM users WHERE kind = 'human'
      UNION ALL SELECT user_id, lower(email), confirmed_at FROM user_emails
    ) a ON a.email = lower(i.email) AND a.confirmed_at IS NOT NULL
    WHERE i.open_until > ${at} AND (${userId ?? null}::bigint IS NULL OR a.user_id = ${userId ?? null}::bigint)
    ORDER BY i.id LIMIT ${limit}`.execute(em.getKysely())

  return rows
}
