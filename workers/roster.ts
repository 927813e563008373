import type { Handler } from '../src/platform/queue/handler.ts'
import { activity } from './activity.ts'
import { alerts } from './alerts.ts'
import { deliveries } from './deliveries.ts'
import { errors } from './errors.ts'
import { incidents } from './incidents.ts'
import { mail } from './mail.ts'
import { maintenance } from './maintenance.ts'
import { storageMoves } from './storage-moves.ts'

/** The handlers of each queue. */
export const roster: Record<string, Handler[]> = {
  errors,
  alerts,
  incidents,
  mail,
  deliveries,
  activity,
  'storage-moves': storageMoves,
  maintenance
}
