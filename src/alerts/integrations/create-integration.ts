import type { Config } from '../../config.ts'
import { invalidateCache } from '../../platform/cache/invalidate-cache.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { Integration, type IntegrationKind, newEndpointIdentifier, unnamedEndpoints } from './integration.ts'

export interface NewIntegration {
  name: string
  kind: IntegrationKind
  active?: boolean
  apiUrl?: string
  externalUrl?: string
}

/**
 * Gives a project another place to send alerts to. The first of each kind has the plain address that all tools know,
 * the others one with their name. Tells the key, which nobody can tell again.
 */
export async function createIntegration(em: EntityManager, config: Config, projectId: number, wanted: NewIntegration) {
  return em.transactional(async em => {
    // Two firsts at once would be one too many.
    await query(em, 'SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE', [projectId])
    const unnamed = unnamedEndpoints[wanted.kind]
    const isFirst = unnamed && !(await em.count(Integration, { projectId, endpointIdentifier: unnamed }))
    const integration = new Integration()
    const key = integration.resetKey()

    em.assign(integration, { ...wanted, projectId, endpointIdentifier: isFirst ? unnamed : newEndpointIdentifier() }, { em })
    await em.persist(integration).flush()
    await invalidateIntegrations(em, config)

    return { integration, key }
  })
}

/** Tells every door that an integration, or what a project wants of its alerts, has changed. */
export function invalidateIntegrations(em: EntityManager, config: Config) {
  return invalidateCache(em, config, 'alert-integration')
}
