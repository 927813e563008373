import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { createIntegration } from './create-integration.ts'
import { findIntegration } from './find-integration.ts'
import type { Integration, IntegrationKind } from './integration.ts'
import { type AlertAdmin, changeAlertConfig, recordIntegration } from './record-integration.ts'
import { checkConflicts, type IntegrationValues, validateIntegration } from './validate-integration.ts'

/** Returns the integration and its key, which is not stored. */
export function addIntegration(em: EntityManager, admin: AlertAdmin, values: IntegrationValues & { name: string; kind: IntegrationKind }) {
  validateIntegration(values)

  return changeAlertConfig(em, admin, async em => {
    const { name, kind, ...rest } = values
    const created = await createIntegration(em, admin.config, admin.project.id, { name: name.trim(), kind })

    assignValues(created.integration, rest)
    await checkConflicts(em, created.integration)
    recordIntegration(em, admin, created.integration, { name: 'alert_integration_created', details: { kind } })

    return created
  })
}

/** Undefined values stay unchanged. */
export function changeIntegration(em: EntityManager, admin: AlertAdmin, id: number, values: IntegrationValues) {
  return changeAlertConfig(em, admin, async em => {
    const integration = await findIntegration(em, admin.project.id, id)

    await lockForChange(em, integration)
    const changed = assignValues(integration, values)

    validateIntegration(integration)
    await checkConflicts(em, integration)
    if (changed.length > 0) {
      recordIntegration(em, admin, integration, { name: 'alert_integration_updated', details: { changed, active: integration.active } })
    }

    return integration
  })
}

/** The old key stops working immediately. */
export function resetKey(em: EntityManager, admin: AlertAdmin, id: number) {
  return changeAlertConfig(em, admin, async em => {
    const integration = await findIntegration(em, admin.project.id, id)
    const key = integration.resetKey()

    recordIntegration(em, admin, integration, { name: 'alert_integration_key_reset' })

    return { integration, key }
  })
}

/** Its alerts stay. */
export function removeIntegration(em: EntityManager, admin: AlertAdmin, id: number) {
  return changeAlertConfig(em, admin, async em => {
    const integration = await findIntegration(em, admin.project.id, id)

    await lockForChange(em, integration)
    recordIntegration(em, admin, integration, { name: 'alert_integration_deleted', details: { kind: integration.kind } })
    em.remove(integration)
  })
}

/** Returns the names of changed attributes. */
function assignValues(integration: Integration, values: IntegrationValues) {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined) as [keyof IntegrationValues, never][]
  const changed = defined.filter(([name, value]) => JSON.stringify(integration[name] ?? null) !== JSON.stringify(value))

  for (const [name, value] of changed) integration[name] = value

  return changed.map(([name]) => name)
}
