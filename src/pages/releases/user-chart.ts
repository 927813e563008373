import { type Period, periods } from '#errors/groups/frequency.ts'
import { crashFreeUserRate, userSeries } from '#errors/releases/release-health.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lineChart } from '../charts/line-chart.ts'
import { html } from '../layout/html.ts'
import { lowestRate } from './lowest-rate.ts'
import { writeRate } from './release-row.ts'

interface Subject {
  projectId: number
  version: string
  period: Period
  now: Date
}

const dayMs = 86_400_000
const minDays = 7
/** Colours and dashes tell so many series apart. */
const maxEnvironments = 3

/** The share of users without a crash on each day, by environment. Shorter periods show a week. */
export async function userChart(em: EntityManager, { projectId, version, period, now }: Subject) {
  const count = Math.max(minDays, Math.round((periods[period].step * periods[period].count * 1000) / dayMs))
  const days = Array.from({ length: count }, (_, n) => new Date(now.getTime() - (count - 1 - n) * dayMs).toISOString().slice(0, 10))
  const environments = (await userSeries(em, projectId, version, days)).slice(0, maxEnvironments)

  if (environments.length === 0)
    return html`<p class="hint">Sessions in this period have no users. SDKs send them if a user is set: <code>Sentry.setUser({ id })</code>.</p>`
  const series = environments.map(({ environment, points }) => ({
    name: environment,
    values: points.map(point => crashFreeUserRate(point) ?? undefined)
  }))

  return lineChart({
    title: 'Crash-free users, by day',
    times: days.map(day => new Date(day)),
    form: 'date',
    series,
    top: 1,
    bottom: lowestRate(series),
    write: writeRate
  })
}
