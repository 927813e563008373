import { type EntityManager, query } from '#platform/database/database.ts'

export async function findPushSecret(em: EntityManager, projectId: number) {
  const [row] = await query<{ secret: Buffer; lastPushAt: Date | null }>(
    em,
    'SELECT secret, last_push_at AS "lastPushAt" FROM push_secrets WHERE project_id = $1',
    [projectId]
  )

  return row
}

export async function savePushSecret(em: EntityManager, projectId: number, secret: Buffer) {
  await query(em, 'INSERT INTO push_secrets (project_id, secret) VALUES ($1, $2) ON CONFLICT (project_id) DO UPDATE SET secret = $2', [
    projectId,
    secret
  ])
}

export async function deletePushSecret(em: EntityManager, projectId: number) {
  await query(em, 'DELETE FROM push_secrets WHERE project_id = $1', [projectId])
}
