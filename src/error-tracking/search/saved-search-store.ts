import { sql } from 'kysely'
import { ValidationFailed } from '../../http/problems/problems.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'

export interface SavedSearch {
  id: number
  name: string
  query: string
  sort: string
  /** Null for a search that all developers of the project see. */
  user_id: number | null
}

const maxSearches = 50
const maxNameLength = 50

/** A user's searches in a project, and those of everyone. */
export async function listSavedSearches(em: EntityManager, projectId: number, userId: number): Promise<SavedSearch[]> {
  const { rows } = await sql<SavedSearch>`
    SELECT id::int, name, query, sort, user_id::int FROM error_searches_saved
    WHERE project_id = ${projectId} AND (user_id = ${userId} OR user_id IS NULL)
    ORDER BY name, id LIMIT ${sql.lit(2 * maxSearches)}`.execute(em.getKysely())

  return rows
}

/** Saves a search under a name, for a user or for everyone. A search with the name is replaced. */
export async function saveSearch(em: EntityManager, projectId: number, { name, ...search }: Omit<SavedSearch, 'id'>) {
  if (name === '') throw new ValidationFailed({ name: ['the name is missing'] })
  if (name.length > maxNameLength) throw new ValidationFailed({ name: [`the name is too long (at most ${maxNameLength} characters)`] })
  const saved = await query(em, insertion, [projectId, search.user_id, name, search.query, search.sort])

  if (saved.length === 0) throw new ValidationFailed({ name: [`there are ${maxSearches} saved searches already`] })
}

const insertion = `
  INSERT INTO error_searches_saved (project_id, user_id, name, query, sort)
  SELECT $1, $2::bigint, $3, $4, $5
  WHERE (SELECT count(*) FROM error_searches_saved WHERE project_id = $1 AND user_id IS NOT DISTINCT FROM $2::bigint AND name <> $3) < ${maxSearches}
  ON CONFLICT (project_id, coalesce(user_id, 0), name) DO UPDATE SET query = EXCLUDED.query, sort = EXCLUDED.sort
  RETURNING id`

/** Deletes one of the searches that a user sees. */
export async function deleteSearch(em: EntityManager, projectId: number, userId: number, id: number) {
  await query(em, 'DELETE FROM error_searches_saved WHERE project_id = $1 AND id = $2 AND (user_id = $3 OR user_id IS NULL)', [
    projectId,
    id,
    userId
  ])
}
