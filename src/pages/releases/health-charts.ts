import type { Period } from '#errors/groups/frequency.ts'
import { adoptionSeries, crashFreeRate, healthSeries } from '#errors/releases/release-health.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { barChart } from '../charts/bar-chart.ts'
import { lineChart } from '../charts/line-chart.ts'
import { html } from '../layout/html.ts'
import { lowestRate } from './lowest-rate.ts'
import { writeRate } from './release-row.ts'
import { userChart } from './user-chart.ts'

/** Colours and dashes tell so many series apart. */
const maxEnvironments = 3

interface Subject {
  projectId: number
  version: string
  period: Period
  now: Date
}

/** Crash-free sessions by environment, all sessions, and adoption. */
export async function healthCharts(em: EntityManager, { projectId, version, period, now }: Subject) {
  const environments = (await healthSeries(em, projectId, version, period, now)).slice(0, maxEnvironments)

  if (environments.length === 0)
    return html`<p class="hint">No sessions in this period. SDKs send sessions when session tracking is on.</p>`
  const users = await userChart(em, { projectId, version, period, now })
  const adoption = await adoptionSeries(em, projectId, version, period, now)
  const times = adoption.map(({ at }) => at)
  const form = period === '24h' ? ('hour' as const) : ('date' as const)
  const rates = environments.map(({ environment, points }) => ({
    name: environment || 'no environment',
    values: points.map(point => crashFreeRate(point) ?? undefined)
  }))
  const sessions = environments.map(({ environment, points }) => ({
    name: environment || 'no environment',
    values: points.map(({ started }) => started)
  }))

  return html`
    <div class="columns">
      ${lineChart({ title: 'Crash-free sessions', times, form, series: rates, top: 1, bottom: lowestRate(rates), write: writeRate })}
      ${lineChart({ title: 'Adoption', times, form, series: [{ name: 'share of all sessions', values: adoption.map(({ share }) => share) }], top: 1, write: writeRate })}
      ${barChart({ title: 'Sessions', times, form, series: sessions })}
      ${users}
    </div>`
}
