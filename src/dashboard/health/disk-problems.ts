import { counted } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { type HealthProblem, problem } from './health-problem.ts'
import type { Disk } from './read-health.ts'

const leastFreeShare = 0.05
const soonDays = 7

/** A disk that cannot be used, is almost full, or will be soon. */
export function diskProblems({ name, problem: reason, freeBytes = 0, totalBytes = 0, daysUntilFull }: Disk): HealthProblem[] {
  if (reason)
    return [
      problem(
        'high',
        html`The storage ${name} cannot be used: ${reason}`,
        html`Mount it again, or check its permissions. <a href="/admin/storages">Storages</a>`
      )
    ]
  const isFull = totalBytes > 0 && freeBytes < leastFreeShare * totalBytes

  if (isFull)
    return [problem('high', html`The disk of ${name} is almost full`, html`Make room, or <a href="/admin/storages">move repositories</a>.`)]
  if (daysUntilFull === undefined || daysUntilFull > soonDays) return []

  return [
    problem(
      daysUntilFull < 2 ? 'high' : 'medium',
      html`The disk of ${name} is full in ${daysUntilFull < 1 ? 'less than a day' : counted(Math.round(daysUntilFull), 'day')}`,
      html`At the pace of the last week. See <a href="#database">what grows</a>; shorten <code>EVENT_RETENTION_DAYS</code>, or make room.`
    )
  ]
}
