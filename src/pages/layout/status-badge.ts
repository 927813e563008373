import type { AlertStatus } from '#alerts/alert.ts'
import { badgeWithIcon } from './badge-icon.ts'

/** Status of an alert or an incident; incidents have `open` and `closed`. */
export type Status = AlertStatus | 'open' | 'closed'

const bell = 'M8 0a1 1 0 011 1v1a5 5 0 014 5v4l2 2v1H1v-1l2-2V7a5 5 0 014-5V1a1 1 0 011-1zM6 15h4a2 1 0 01-4 0z'
const tick = 'M6 14L0 8l2-2 4 4 8-8 2 2z'

const shapes: Record<Status, string> = {
  triggered: bell,
  open: bell,
  acknowledged: 'M8 3c4 0 7 3 8 5-1 2-4 5-8 5S1 10 0 8c1-2 4-5 8-5zm0 2a3 3 0 100 6 3 3 0 000-6zm0 2a1 1 0 110 2 1 1 0 010-2z',
  resolved: tick,
  closed: tick,
  ignored: 'M8 1a7 7 0 110 14A7 7 0 018 1zM4 7v2h8V7z'
}

export function statusBadge(status: Status) {
  return badgeWithIcon(status, shapes[status])
}
