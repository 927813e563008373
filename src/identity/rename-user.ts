import { type EntityManager, query } from '../platform/database.ts'
import type { User } from './user.ts'
import { checkUsername } from './username.ts'

interface Names {
  username: string
  name: string
}

/** Moves a user's own space and all projects in it to the new name; the former paths lead there from now on. */
export async function renameUser(em: EntityManager, user: User, { username, name }: Names) {
  if (username === user.username) {
    await query(em, `UPDATE namespaces SET name = $2 WHERE owner_id = $1 AND kind = 'user'`, [user.id, name])
    return
  }
  checkUsername(username)

  await query(
    em,
    `WITH space AS (SELECT id, full_path FROM namespaces WHERE owner_id = $1 AND kind = 'user' AND lower(path) <> lower($2)),
     former AS (
       SELECT full_path, NULL::bigint AS project_id, id AS group_id FROM space
       UNION ALL
       SELECT p.full_path, p.id, NULL FROM projects p JOIN space ON p.namespace_id = space.id
     )
     INSERT INTO redirects (full_path, project_id, group_id) SELECT * FROM former
     ON CONFLICT (lower(full_path)) DO UPDATE SET project_id = EXCLUDED.project_id, group_id = EXCLUDED.group_id`,
    [user.id, username]
  )
  await query(em, `UPDATE namespaces SET path = $2, full_path = $2, name = $3, updated_at = now() WHERE owner_id = $1 AND kind = 'user'`, [
    user.id,
    username,
    name
  ])
  await query(
    em,
    `UPDATE projects p SET full_path = n.full_path || '/' || p.path
     FROM namespaces n WHERE n.id = p.namespace_id AND n.owner_id = $1 AND n.kind = 'user'`,
    [user.id]
  )
  await dropOvergrown(em, user.id)
}

/** A path that is lived at leads nowhere else any more. */
export async function dropOvergrown(em: EntityManager, userId: number) {
  await query(
    em,
    `WITH space AS (SELECT id, full_path FROM namespaces WHERE owner_id = $1 AND kind = 'user')
     DELETE FROM redirects WHERE lower(full_path) IN (
       SELECT lower(full_path) FROM space UNION ALL SELECT lower(p.full_path) FROM projects p JOIN space ON p.namespace_id = space.id
     )`,
    [userId]
  )
}
