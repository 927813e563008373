import { objectOrEmpty } from '../../../lib/json.ts'
import type { Count } from '../../store/outcome-counts.ts'
import { discardOutcome } from './categories.ts'
import { countOrZero, type ItemOrigin } from './item-origin.ts'

const most = 100

/** What an SDK threw away before it was sent, as it tells itself. */
export function parseClientReport(report: Record<string, unknown>, { projectId, day }: ItemOrigin): Count[] {
  const discarded = Array.isArray(report.discarded_events) ? report.discarded_events.slice(0, most) : []

  return discarded.map(objectOrEmpty).flatMap(({ reason, category, quantity }) => {
    const items = countOrZero(quantity)

    return items > 0 ? [{ projectId, day, ...discardOutcome(category, reason), items }] : []
  })
}
