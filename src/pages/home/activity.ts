import { countFiring, countStartedAlerts } from '#alerts/overview-store.ts'
import { countHourlyEvents, countNewGroups, type HourlyCount } from '#errors/stats/overview-store.ts'
import { countOpenedIncidents, countOpenIncidents } from '#issues/overview-store.ts'
import type { EntityManager } from '#platform/database/database.ts'

const hours = 24
const hourMs = 3_600_000
/** Limit per project; counting further is slow. */
const maxCounted = 1000

/** What happened in each of the last 24 hours, and what is open. */
export interface Activity {
  events: number[]
  newErrors: number[]
  alerts: number[]
  incidents: number[]
  /** Triggered alerts. */
  firing: number
  openIncidents: number
}

/** The activity of each project: errors and alerts of the monitored ones, incidents of those that have them. */
export async function activityOf(em: EntityManager, monitored: number[], withIncidents: number[], now: Date) {
  const start = Math.floor(now.getTime() / hourMs - hours + 1) * hourMs
  const since = new Date(start)
  const events = byProject(await countHourlyEvents(em, monitored, since), start)
  const newErrors = byProject(await countNewGroups(em, monitored, since), start)
  const alerts = byProject(await countStartedAlerts(em, monitored, since), start)
  const incidents = byProject(await countOpenedIncidents(em, withIncidents, since), start)
  const firing = await countFiring(em, monitored, maxCounted)
  const openIncidents = await countOpenIncidents(em, withIncidents, maxCounted)

  return (projectId: number): Activity => ({
    events: events(projectId),
    newErrors: newErrors(projectId),
    alerts: alerts(projectId),
    incidents: incidents(projectId),
    firing: firing.get(projectId) ?? 0,
    openIncidents: openIncidents.get(projectId) ?? 0
  })
}

export function total(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The sum of several projects' values, hour by hour. */
export function sumOf(lists: number[][]) {
  return Array.from({ length: hours }, (_, n) => total(lists.map(values => values[n] ?? 0)))
}

function byProject(rows: HourlyCount[], start: number) {
  const counts = new Map<number, number[]>()

  for (const { project_id: id, hour, count } of rows) {
    const values = counts.get(id) ?? new Array<number>(hours).fill(0)
    const n = Math.round((hour.getTime() - start) / hourMs)

    if (n < hours) values[n] = count
    counts.set(id, values)
  }

  return (id: number) => counts.get(id) ?? new Array<number>(hours).fill(0)
}
