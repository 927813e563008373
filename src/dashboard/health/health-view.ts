import type { FastifyRequest } from 'fastify'
import { byteSize, count, counted } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { tabLink } from '#pages/projects/project-page.ts'
import { taskList } from '#pages/tasks/task-section.ts'
import { release } from '#platform/observability/release.ts'
import type { Task } from '#tasks/task.ts'
import { databaseChart, healthCharts } from './health-charts.ts'
import type { HealthProblem } from './health-problem.ts'
import { diskRows, failureList, processTable, queueTable, tableSizes } from './health-tables.ts'
import { type History, type Period, periods } from './periods.ts'
import type { Health } from './read-health.ts'

interface View {
  health: Health
  problems: HealthProblem[]
  tasks: Task[]
  period: Period
  history: History
  /** Sizes are sampled less often. */
  sizes: History
  now: Date
}

export function healthView(request: FastifyRequest, { health, problems, tasks, period, history, sizes, now }: View) {
  const queues = health.queues.map(({ name }) => name)

  return html`
    <div id="health" data-live="${period.refreshSeconds}">
      <h1>Health</h1>
      ${verdict(problems)}
      <nav class="tabs" aria-label="Period">${Object.entries(periods).map(([key, one]) => tabLink(`/admin?period=${key}`, one.name, one === period))}</nav>
      ${history.samples.length < 2 ? html`<p class="empty">No samples yet. Values are sampled every minute; the charts begin with the second sample.</p>` : healthCharts(history, period, queues)}
      <h2>Queues</h2>
      ${queueTable(health.queues, history, period)}
      <h2 id="workers">Processes</h2>
      ${processTable(health.processes)}
      <p class="hint" id="scaling">More workers: <code>npm start -- worker=3</code>, or <code>node bin/tocsin.js worker</code> on another machine.</p>
      <h2 id="failed">Failed jobs</h2>
      ${failureList(request, health, now)}
      ${tasks.length > 0 && html`<h2 id="tasks">Tasks</h2>${taskList(request, tasks, { base: '/admin', now })}`}
      <h2 id="database">Database</h2>
      <div class="columns"><div>${databaseChart(sizes, period)}</div><div>${tableSizes(health, sizes.samples, period)}</div></div>
      <h2>Disks, mail and backups</h2>
      ${facts(health, now)}
      <h2 id="channels">Channels that fail</h2>
      ${channelList(health, now)}
      <p class="hint">As of ${ago(now, now)}. Prometheus reads the same values at <code>/-/metrics</code>.</p>
    </div>`
}

/** The worst problem, and all others. Hints alone are no problem. */
function verdict(problems: HealthProblem[]) {
  const [first, ...others] = problems
  const isWell = !first || first.severity === 'low'
  const rest = isWell ? problems : others

  return html`
    <div class="verdict ${isWell ? 'good' : first.severity}" role="status">
      <p>${isWell ? wellText(problems.length) : first.title}</p>
      ${!isWell && html`<p class="hint">${first.remedy}</p>`}
    </div>
    ${
      rest.length > 0 &&
      html`<ul class="rows problems">${rest.map(({ severity, title, remedy }) => html`<li class="${severity}"><div><p><strong>${title}</strong></p><p class="hint">${remedy}</p></div></li>`)}</ul>`
    }`
}

function wellText(hints: number) {
  return hints > 0 ? `Running; ${counted(hints, 'thing')} to do` : 'All well'
}

function facts({ disks, mail, backup, schema }: Health, now: Date) {
  return html`
    <dl class="facts column">
      ${diskRows(disks)}
      <div><dt>Mail</dt><dd>${mail.isConfigured ? html`${count(mail.waiting)} waiting, <span${mail.failedToday > 0 && html` class="bad"`}>${count(mail.failedToday)} failed</span> within a day` : 'no server'} · <a href="/admin/mail">Mail</a></dd></div>
      <div><dt>Last backup</dt><dd>${backup ? html`${ago(backup.finishedAt, now)}, ${byteSize(backup.bytes)}` : 'none is known'}</dd></div>
      <div><dt>Release</dt><dd>${release}</dd></div>
      <div><dt>Schema</dt><dd>${schema}</dd></div>
    </dl>`
}

function channelList({ channels }: Health, now: Date) {
  if (channels.length === 0) return html`<p class="empty">No channel fails.</p>`

  return html`
    <ul class="rows">${channels.map(
      ({ name, projectId, deliveryId, answer, at }) => html`
      <li>
        <div>
          <p><strong><a href="/projects/${projectId}/notifications/deliveries/${deliveryId}">${name}</a></strong> <span class="hint">failed ${ago(at, now)}</span></p>
          ${answer && html`<p class="hint"><q>${answer.slice(0, 160).toWellFormed()}</q></p>`}
        </div>
      </li>`
    )}</ul>`
}
