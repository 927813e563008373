import type { Count } from '../../store/outcome-counts.ts'
import { nameLoss } from './categories.ts'
import { asCount, asObject, type Origin } from './item-origin.ts'

const most = 100

/** What an SDK threw away before it was sent, as it tells itself. */
export function readClientReport(report: Record<string, unknown>, { projectId, day }: Origin): Count[] {
  const discarded = Array.isArray(report.discarded_events) ? report.discarded_events.slice(0, most) : []

  return discarded.map(asObject).flatMap(({ reason, category, quantity }) => {
    const items = asCount(quantity)

    return items > 0 ? [{ projectId, day, ...nameLoss(category, reason), items }] : []
  })
}
