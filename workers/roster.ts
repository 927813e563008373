import type { Handler } from '../src/platform/worker.ts'
import { alerts } from './alerts.ts'
import { errors } from './errors.ts'
import { maintenance } from './maintenance.ts'

/** Who works which queue. */
export const roster: Record<string, Handler[]> = { errors, alerts, maintenance }
