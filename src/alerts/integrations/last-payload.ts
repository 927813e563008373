import { isObject, parseJson } from '#lib/json.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findLatestOf } from './find-latest.ts'
import type { Integration } from './integration.ts'

/** The payload of the latest alert of an integration, as JSON to edit. */
export async function findLastPayload(em: EntityManager, { projectId, id }: Integration) {
  const alert = await findLatestOf(em, projectId, id)

  if (!alert) return undefined
  await em.populate(alert, ['payload'])
  const payload = parseJson(String(alert.payload))

  return JSON.stringify(alert.kind === 'metrics' ? toWebhook(payload) : payload, null, 2)
}

/** For a metrics payload, only the item is stored with its alert. */
function toWebhook(item: unknown) {
  const { status, labels, annotations } = isObject(item) ? item : {}

  return {
    version: '4',
    groupKey: '{}',
    receiver: 'tocsin',
    status,
    externalURL: '',
    groupLabels: {},
    commonLabels: labels ?? {},
    commonAnnotations: annotations ?? {},
    alerts: [item]
  }
}
