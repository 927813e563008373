import type { Config } from '#config.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'
import { Integration, type IntegrationKind, legacyEndpoints, newEndpointIdentifier } from './integration.ts'

export interface NewIntegration {
  name: string
  kind: IntegrationKind
  active?: boolean
  apiUrl?: string
  externalUrl?: string
}

/** The first integration of each kind has the legacy URL, the others one with their name. Returns the key, which is not stored. */
export async function createIntegration(em: EntityManager, config: Config, projectId: number, values: NewIntegration) {
  return em.transactional(async em => {
    // Serialises: only one integration can be the first.
    await lockRow(em, 'projects', projectId)
    const legacy = legacyEndpoints[values.kind]
    const isFirst = legacy && !(await em.count(Integration, { projectId, endpointIdentifier: legacy }))
    const integration = new Integration()
    const key = integration.resetKey()

    em.assign(integration, { ...values, projectId, endpointIdentifier: isFirst ? legacy : newEndpointIdentifier() }, { em })
    await em.persist(integration).flush()
    await invalidateIntegrations(em, config)

    return { integration, key }
  })
}

/** After a change of an integration or of the project's alert settings. */
export function invalidateIntegrations(em: EntityManager, config: Config) {
  return invalidateCache(em, config, 'alert-integration')
}
