import type { FastifyInstance } from 'fastify'
import { type DailyOutcomes, dailyOutcomes } from '../../error-tracking/stats/daily-outcomes.ts'
import { Role } from '../../projects/members/member.ts'
import { barChart } from '../charts/bar-chart.ts'
import { type Html, html } from '../layout/html.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { figure, reasonName } from './overview/intake-health.ts'
import { pageContext } from './page-context.ts'
import { projectPage, tabLink } from './project-page.ts'

const periods = ['7', '30', '90']

/** Received, stored, dropped and lost items by day and by reason. */
export async function statisticsPage(app: FastifyInstance) {
  app.get<{ Querystring: { days?: string } }>('/projects/:id/statistics', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.reporter)
    const { days = '30' } = request.query
    const period = periods.includes(days) ? days : '30'
    const outcomes = await dailyOutcomes(context.em, context.project.id, Number(period), new Date())

    return projectPage(
      reply,
      context,
      { title: 'Statistics', tab: 'statistics' },
      html`
      <h1>Statistics</h1>
      <p class="lead">Events, sessions, feedback and attachments that SDKs sent to this project, by day in UTC.</p>
      <nav class="tabs" aria-label="Period">${periods.map(days => tabLink(`${context.projectUrl}/statistics?days=${days}`, `${days} days`, days === period))}</nav>
      ${content(outcomes)}`
    )
  })
}

function content({ days, totals, drops, losses }: DailyOutcomes) {
  const times = days.map(({ at }) => at)

  return html`
    <dl class="totals">
      ${figure('received', totals.stored + totals.dropped)}
      ${figure('stored', totals.stored)}
      ${figure('dropped', totals.dropped)}
      ${figure('lost before sending', totals.lost)}
    </dl>
    ${barChart({
      title: 'Received items',
      times,
      form: 'date',
      series: [
        { name: 'stored', values: days.map(({ stored }) => stored) },
        { name: 'dropped', values: days.map(({ dropped }) => dropped) }
      ]
    })}
    ${totals.lost > 0 && barChart({ title: 'Lost before sending', times, form: 'date', series: [{ name: 'lost', values: days.map(({ lost }) => lost) }] })}
    <div class="columns">
      ${reasons('Dropped', drops, 'Nothing was dropped.')}
      ${reasons('Lost before sending', losses, 'SDKs reported no lost items.')}
    </div>`
}

function reasons(title: string, counts: DailyOutcomes['drops'], empty: string): Html {
  return html`
    <section>
      <h2>${title}</h2>
      ${
        counts.length > 0
          ? html`<table><thead><tr><th scope="col">Reason</th><th scope="col">Items</th></tr></thead>
              <tbody>${counts.map(([reason, items]) => html`<tr><td>${reasonName(reason)}</td><td>${items}</td></tr>`)}</tbody></table>`
          : html`<p class="hint">${empty}</p>`
      }
    </section>`
}
