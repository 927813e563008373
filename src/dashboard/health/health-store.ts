import { type EntityManager, query } from '#platform/database/database.ts'

export interface MailState {
  waiting: number
  failedToday: number
}

/** Of notifications by e-mail, and of mail about accounts and access. */
export async function readMailState(em: EntityManager, now: Date): Promise<MailState> {
  const [row] = await query<MailState>(
    em,
    `SELECT
       (SELECT count(*)::int FROM notification_deliveries
        WHERE status IN ('pending', 'sending', 'retrying') AND (user_id IS NOT NULL OR address IS NOT NULL))
       + (SELECT count(*)::int FROM outbox WHERE consumer = 'mail' AND ended_at IS NULL) AS waiting,
       (SELECT count(*)::int FROM notification_deliveries
        WHERE created_at > $1::timestamptz - interval '1 day' AND status = 'failed' AND (user_id IS NOT NULL OR address IS NOT NULL))
       + (SELECT count(*)::int FROM outbox
          WHERE consumer = 'mail' AND outcome = 'failed' AND ended_at > $1::timestamptz - interval '1 day') AS "failedToday"`,
    [now.toISOString()]
  )

  return row!
}

export interface Backup {
  finishedAt: Date
  bytes: number
}

export async function findLastBackup(em: EntityManager) {
  const [row] = await query<Backup>(em, 'SELECT finished_at AS "finishedAt", bytes FROM backups ORDER BY id DESC LIMIT 1')

  return row
}

export async function findLastMigration(em: EntityManager) {
  const [row] = await query<{ name: string }>(em, 'SELECT name FROM migrations ORDER BY id DESC LIMIT 1')

  return row?.name.replace(/\.[jt]s$/, '')
}
