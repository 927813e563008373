import type { EntityManager, Tables } from '#platform/database/database.ts'
import { listEnvironments } from '../search/term-store.ts'

const maxEnvironments = 200

/** The environments that errors or deploys of the project named. */
export async function findEnvironmentNames(em: EntityManager, projectId: number) {
  const ofErrors = await listEnvironments(em, projectId, maxEnvironments)
  const ofDeploys = await em
    .getKysely<Tables>()
    .selectFrom('error_deploys')
    .select('environment')
    .distinct()
    .where('project_id', '=', projectId)
    .orderBy('environment')
    .limit(maxEnvironments)
    .execute()

  return [...new Set([...ofErrors, ...ofDeploys.map(({ environment }) => environment)])]
}
