import type { Severity } from '#lib/severity.ts'
import { badgeWithIcon, iconOf } from './badge-icon.ts'

/** Each severity has a shape of its own: colour alone would not tell. */
const shapes: Record<Severity, string> = {
  critical: 'M5 1h6l4 4v6l-4 4H5l-4-4V5zM7 4v5h2V4zm0 6.5v2h2v-2z',
  high: 'M8 1l7.5 14H.5z',
  medium: 'M8 .5L15.5 8 8 15.5.5 8z',
  low: 'M.5 2h15L8 15z',
  info: 'M8 1a7 7 0 110 14A7 7 0 018 1zM7 4v2h2V4zm0 3v5h2V7z',
  unknown: 'M8 1a7 7 0 110 14A7 7 0 018 1zm0 2a5 5 0 100 10A5 5 0 008 3z'
}

export function severityBadge(severity: Severity) {
  return badgeWithIcon(severity, shapes[severity])
}

/** The icon alone, for the first column of a list whose rows also name the severity. */
export function severityIcon(severity: Severity) {
  return iconOf(shapes[severity], `icon severity ${severity}`)
}
