import { type EntityManager, query } from '#platform/database/database.ts'

/** Running it again changes nothing. */
export async function recordRepository(em: EntityManager, projectId: number, path: string) {
  await query(em, 'INSERT INTO image_repositories (project_id, path) VALUES ($1, $2) ON CONFLICT (path) DO NOTHING', [projectId, path])
}
