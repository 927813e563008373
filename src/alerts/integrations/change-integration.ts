import type { EntityManager } from '../../platform/database/database.ts'
import { createIntegration } from './create-integration.ts'
import { findIntegration } from './find-integration.ts'
import type { Integration, IntegrationKind } from './integration.ts'
import { type AlertAdmin, changeAlertConfig, recordIntegration } from './record-integration.ts'
import { checkConflicts, type IntegrationValues, validateIntegration } from './validate-integration.ts'

/** Gives a project another integration; tells its key, which nobody can tell again. */
export function addIntegration(em: EntityManager, keeper: AlertAdmin, given: IntegrationValues & { name: string; kind: IntegrationKind }) {
  validateIntegration(given)

  return changeAlertConfig(em, keeper, async em => {
    const { name, kind, ...rest } = given
    const made = await createIntegration(em, keeper.config, keeper.project.id, { name: name.trim(), kind })

    change(made.integration, rest)
    await checkConflicts(em, made.integration)
    recordIntegration(em, keeper, made.integration, { name: 'alert_integration_created', details: { kind } })

    return made
  })
}

/** What is not given stays as it is. */
export function changeIntegration(em: EntityManager, keeper: AlertAdmin, id: number, given: IntegrationValues) {
  return changeAlertConfig(em, keeper, async em => {
    const integration = await findIntegration(em, keeper.project.id, id)
    const changed = change(integration, given)

    validateIntegration(integration)
    await checkConflicts(em, integration)
    if (changed.length > 0) {
      recordIntegration(em, keeper, integration, { name: 'alert_integration_updated', details: { changed, active: integration.active } })
    }

    return integration
  })
}

/** Whoever has the old key is kept out from now on. */
export function resetKey(em: EntityManager, keeper: AlertAdmin, id: number) {
  return changeAlertConfig(em, keeper, async em => {
    const integration = await findIntegration(em, keeper.project.id, id)
    const key = integration.resetKey()

    recordIntegration(em, keeper, integration, { name: 'alert_integration_key_reset' })

    return { integration, key }
  })
}

/** The alerts that came by it stay. */
export function removeIntegration(em: EntityManager, keeper: AlertAdmin, id: number) {
  return changeAlertConfig(em, keeper, async em => {
    const integration = await findIntegration(em, keeper.project.id, id)

    recordIntegration(em, keeper, integration, { name: 'alert_integration_deleted', details: { kind: integration.kind } })
    em.remove(integration)
  })
}

/** Tells what is other than it was. */
function change(integration: Integration, given: IntegrationValues) {
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined) as [keyof IntegrationValues, never][]
  const changed = wanted.filter(([name, value]) => JSON.stringify(integration[name] ?? null) !== JSON.stringify(value))

  for (const [name, value] of changed) integration[name] = value

  return changed.map(([name]) => name)
}
