import { startEnvironment } from '../../environments/found-environments.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { insertDeploy, type NewDeploy } from './deploy-store.ts'

/** Stores a deploy of the release in each project and makes its environment available there. */
export function recordDeploy(em: EntityManager, projectIds: number[], version: string, deploy: NewDeploy) {
  return em.transactional(async em => {
    await startEnvironment(em, projectIds, deploy.environment)

    return insertDeploy(em, projectIds, version, deploy)
  })
}
