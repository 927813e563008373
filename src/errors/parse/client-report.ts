import { type Json, listOrEmpty, objectOrEmpty } from '#lib/json.ts'
import type { Outcome } from '../store/outcome-store.ts'
import { discardOutcome } from './categories.ts'
import { countOrZero, type ItemOrigin } from './item-origin.ts'

const maxDiscards = 100

/** The events that an SDK discarded before sending. */
export function parseClientReport(report: Json, { projectId, keyId, day }: ItemOrigin): Outcome[] {
  const discarded = listOrEmpty(report.discarded_events).slice(0, maxDiscards)

  return discarded.map(objectOrEmpty).flatMap(({ reason, category, quantity }) => {
    const items = countOrZero(quantity)

    return items > 0 ? [{ projectId, keyId, day, ...discardOutcome(category, reason), items }] : []
  })
}
