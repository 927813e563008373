import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'

/** A user who ran a release on a day, as told by a session. */
export interface SessionUser {
  projectId: number
  /** UTC day on which the session started. */
  day: string
  release: string
  environment: string
  userHash: Buffer
  isCrashed: boolean
}

const userRows = rowSet<SessionUser>({
  project_id: ['bigint', row => row.projectId],
  day: ['date', row => row.day],
  release: ['text', row => row.release],
  environment: ['text', row => row.environment],
  user_hash: ['bigint', row => row.userHash.readBigInt64BE().toString()],
  is_crashed: ['boolean', row => row.isCrashed]
})

/** Counts each user once a day and release, and once as crashed. Repeating it changes nothing. */
export async function countSessionUsers(em: EntityManager, users: SessionUser[]) {
  if (users.length > 0) await query(em, counting, userRows.params(users))
}

const key = 'project_id, release, day, environment'
// For an inserted row, xmax is 0.
const counting = `
  WITH changed AS (
    INSERT INTO error_session_users AS u (${key}, user_hash, is_crashed)
    SELECT ${key}, user_hash, bool_or(is_crashed) FROM ${userRows.source} GROUP BY ${key}, user_hash ORDER BY ${key}, user_hash
    ON CONFLICT (${key}, user_hash) DO UPDATE SET is_crashed = true WHERE EXCLUDED.is_crashed AND NOT u.is_crashed
    RETURNING ${key}, is_crashed, xmax = 0 AS is_new
  )
  INSERT INTO error_user_days AS d (${key}, users, crashed)
  SELECT ${key}, count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE is_crashed) FROM changed GROUP BY ${key} ORDER BY ${key}
  ON CONFLICT (${key}) DO UPDATE SET users = d.users + EXCLUDED.users, crashed = d.crashed + EXCLUDED.crashed`
