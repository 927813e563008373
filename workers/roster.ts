import type { Extra } from '#platform/extra.ts'
import type { Handler } from '#platform/queue/handler.ts'
import { activity } from './activity.ts'
import { alerts } from './alerts.ts'
import { checks } from './checks.ts'
import { deliveriesOf } from './deliveries.ts'
import { errors } from './errors.ts'
import { incidents } from './incidents.ts'
import { mail } from './mail.ts'
import { maintenanceOf } from './maintenance.ts'
import { storageMoves } from './storage-moves.ts'

/** The handlers of each queue. */
export function rosterOf(extras: Extra[]) {
  const roster: Record<string, Handler[]> = {
    errors,
    alerts,
    incidents,
    mail,
    deliveries: deliveriesOf(extras),
    activity,
    checks,
    'storage-moves': storageMoves,
    maintenance: maintenanceOf(extras)
  }

  return Object.fromEntries(
    Object.entries(roster).map(([queue, handlers]) => [queue, [...handlers, ...extras.flatMap(({ jobs }) => jobs?.[queue] ?? [])]])
  )
}
