import { frequencies, type Period } from '#errors/groups/frequency.ts'
import { listFirstSeen } from '#errors/releases/find-releases.ts'
import { barChart } from '../charts/bar-chart.ts'
import { html } from '../layout/html.ts'
import type { TimeForm } from '../layout/time.ts'
import type { ErrorContext } from './error-context.ts'

const charts: [period: Period, title: string, form: TimeForm][] = [
  ['24h', 'Last 24 hours', 'hour'],
  ['30d', 'Last 30 days', 'date']
]
const maxMarks = 5

/** Events per hour and per day, with the releases that came in between. */
export async function errorCharts({ em, group, projectUrl }: ErrorContext) {
  const now = new Date()
  const drawn = []

  for (const [period, title, form] of charts) {
    const frequency = (await frequencies(em, group.projectId, [group.id], period, now)).get(group.id)!
    const times = frequency.map(([start]) => new Date(start * 1000))
    const releases = await listFirstSeen(em, group.projectId, group.releases, times[0]!, maxMarks)
    const marks = releases.map(({ version, first_seen_at: at }) => ({
      at,
      name: version,
      url: `${projectUrl}/releases/${encodeURIComponent(version)}`
    }))

    drawn.push(barChart({ title, times, form, series: [{ name: 'Events', values: frequency.map(([, events]) => events) }], marks }))
  }

  return html`<section class="error-charts" aria-label="Events over time">${drawn}</section>`
}
