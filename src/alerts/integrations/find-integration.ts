import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { Integration } from './integration.ts'

export async function findIntegration(em: EntityManager, projectId: number, id: number) {
  const integration = await em.findOne(Integration, { projectId, id })

  if (!integration) throw new NotFound('Alert Integration')

  return integration
}

/** Oldest first. */
export function listIntegrations(em: EntityManager, projectId: number) {
  return entityRows(em, Integration, { projectId })
}
