import type { EntityManager } from '#platform/database/database.ts'
import type { Extra } from '#platform/extra.ts'
import { insertDeploy, type NewDeploy } from './deploy-store.ts'

declare module '#platform/extra.ts' {
  interface Extra {
    /** Called in the transaction that stores a deploy. */
    onDeploy?: (em: EntityManager, projectIds: number[], environment: string) => Promise<void>
  }
}

/** Stores a deploy of the release in each project. */
export function recordDeploy(em: EntityManager, extras: Extra[], projectIds: number[], version: string, deploy: NewDeploy) {
  return em.transactional(async em => {
    for (const { onDeploy } of extras) await onDeploy?.(em, projectIds, deploy.environment)

    return insertDeploy(em, projectIds, version, deploy)
  })
}
