import type { EntityManager } from '#platform/database/database.ts'
import { announce } from '#platform/live/announce.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import { lockCounters } from '#projects/counter-store.ts'
import { storeMisfits } from './integrations/misfit-store.ts'
import type { receiveAlerts } from './jobs.ts'
import { parsePayload } from './parse/parse-payload.ts'
import { AlertAggregator, type AlertChange, type Receipt } from './store/aggregate-alerts.ts'
import { addAlertsToOutbox } from './store/alert-outbox-store.ts'
import { findOpenAlerts, findReceiveSettings, type ReceiveSettings, storeAlerts } from './store/alert-store.ts'
import { findReceipts, storeReceipts } from './store/receipt-store.ts'

type Request = ItemOf<typeof receiveAlerts>

export type ProjectAlertChange = AlertChange & { projectId: number; requestId: string; chain?: string | undefined }

/**
 * Processes a batch of requests. Repeatable: a request that was processed before changes nothing, and has the same receipt and
 * the same changes. `sendReceipts` runs inside the transaction.
 */
export async function processAlerts(
  em: EntityManager,
  requests: Request[],
  sendReceipts: (em: EntityManager, receipts: Receipt[]) => Promise<void>
): Promise<ProjectAlertChange[]> {
  return em.transactional(async em => {
    const lastIids = await lockCounters(
      em,
      'alerts',
      requests.map(({ projectId }) => projectId)
    )
    const stored = await findReceipts(em, requests)
    const unprocessed = uniqueById(requests).filter(({ id, projectId }) => !stored.has(id) && lastIids.has(projectId))
    const processed = unprocessed.length > 0 ? await processRequests(em, unprocessed, lastIids) : []
    const byId = new Map([...stored, ...processed])
    // Deleted projects have no alerts.
    const receipts = requests.map(({ id }) => byId.get(id) ?? { alerts: [] })

    await sendReceipts(
      em,
      receipts.map(({ changes, ...receipt }) => receipt)
    )

    return requests.flatMap(({ id: requestId, projectId, chain }, n) =>
      (receipts[n]!.changes ?? []).map(change => ({ ...change, projectId, requestId, chain }))
    )
  })
}

/** In the order of arrival. */
async function processRequests(em: EntityManager, requests: Request[], lastIids: Map<number, number>) {
  const settings = await findReceiveSettings(em, requests)
  const settingsOf = (integrationId: number | null) => (integrationId === null ? undefined : settings.get(integrationId)) ?? defaults
  const payloads = requests.map(({ integrationId, receivedAt, body }) => {
    const { updatesOnRepeat, ...options } = settingsOf(integrationId)

    return parsePayload(body, { receivedAt: new Date(receivedAt), ...options })
  })
  const open = await findOpenAlerts(em, requests, payloads)
  const aggregators = new Map<number, AlertAggregator>()
  const receipts: [string, Receipt][] = []

  for (const [n, { id, projectId, integrationId, receivedAt }] of requests.entries()) {
    const aggregator = aggregators.get(projectId) ?? new AlertAggregator(open.get(projectId) ?? new Map(), lastIids.get(projectId)!)
    const { alerts, skipped } = payloads[n]!
    const { updatesOnRepeat } = settingsOf(integrationId)
    const receipt = aggregator.apply(alerts, { integrationId, receivedAt: new Date(receivedAt), updatesOnRepeat })

    aggregators.set(projectId, aggregator)
    receipts.push([id, skipped.length > 0 ? { ...receipt, skipped } : receipt])
  }
  await storeAlerts(em, aggregators)
  await announce(
    em,
    [...aggregators].flatMap(([projectId, { touched }]) => [...touched].map(({ iid }) => ({ kind: 'alerts', projectId, id: iid })))
  )
  await storeMisfits(
    em,
    requests.flatMap(({ integrationId, receivedAt }, n) => {
      const { misfit } = payloads[n]!

      return misfit && integrationId !== null ? { integrationId, at: new Date(receivedAt), misfit } : []
    })
  )
  await addAlertsToOutbox(
    em,
    requests,
    receipts.map(([, receipt]) => receipt)
  )
  await storeReceipts(em, receipts)

  return receipts
}

/** For deleted integrations, and for alerts of Tocsin's own. */
const defaults: ReceiveSettings = { mapping: {}, isFingerprinting: true, updatesOnRepeat: true }

/** Keeps the first of each id. */
function uniqueById(requests: Request[]) {
  return [...new Map(requests.toReversed().map(request => [request.id, request])).values()].reverse()
}
