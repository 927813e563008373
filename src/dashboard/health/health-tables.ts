import type { FastifyRequest } from 'fastify'
import { byteSize, count } from '#lib/counted.ts'
import { sparkline } from '#pages/charts/sparkline.ts'
import { formOf } from '#pages/layout/field.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { ago, duration } from '#pages/layout/time.ts'
import type { ProcessRow } from '#platform/observability/heartbeat.ts'
import { queueValue, tableValue } from '#platform/observability/samples/sample-health.ts'
import type { Sample } from '#platform/observability/samples/sample-store.ts'
import { peaksOf } from '#platform/observability/samples/series.ts'
import { rate } from './health-problem.ts'
import type { History, Period } from './periods.ts'
import type { QueueState } from './queue-state.ts'
import type { Disk, Health } from './read-health.ts'

export function queueTable(queues: QueueState[], history: History, { name: period }: Period) {
  return html`
    <table class="stacked">
      <thead><tr><th scope="col">Queue</th><th scope="col">Waiting items</th><th scope="col">${period}</th><th scope="col">Oldest</th><th scope="col">Running</th><th scope="col">Delayed</th><th scope="col">Failed</th><th scope="col">Workers</th></tr></thead>
      <tbody>${queues.map(queue => queueRow(queue, history, period))}</tbody>
    </table>`
}

function queueRow({ name, waitingItems, oldestSeconds, jobs, workers }: QueueState, { samples, span }: History, period: string) {
  const waited = peaksOf(samples, queueValue('waiting', name), span).map(value => value ?? 0)

  return html`
    <tr>
      <th scope="row">${name}</th>
      <td data-label="Waiting items">${count(waitingItems)}</td>
      <td data-label="${period}">${sparkline(waited, `Waiting in ${name}`)}</td>
      <td data-label="Oldest"${oldestSeconds >= 60 && html` class="bad"`}>${waitingItems > 0 || oldestSeconds > 0 ? duration(oldestSeconds * 1000) : '–'}</td>
      <td data-label="Running">${count(jobs.active)}</td>
      <td data-label="Delayed">${count(jobs.delayed)}</td>
      <td data-label="Failed"${jobs.failed > 0 && html` class="bad"`}>${count(jobs.failed)}</td>
      <td data-label="Workers"${workers === 0 && html` class="bad"`}>${workers}</td>
    </tr>`
}

export function processTable(processes: ProcessRow[]) {
  return html`
    <table class="stacked">
      <thead><tr><th scope="col">Process</th><th scope="col">Load</th><th scope="col">Running jobs</th><th scope="col">Memory</th><th scope="col">Event loop delay</th><th scope="col">Release</th><th scope="col">Uptime</th></tr></thead>
      <tbody>${processes.filter(({ isGone }) => !isGone).map(processRow)}</tbody>
    </table>`
}

function processRow({ name, role, slot, upSeconds, version, load }: ProcessRow) {
  const { cpu = 0, busyJobs = 0, memoryBytes = 0, delaySeconds = 0 } = load

  return html`
    <tr>
      <th scope="row">${name} ${slot && html`<span class="hint">${role}-${slot}</span>`}</th>
      <td data-label="Load"${cpu > 0.9 && html` class="bad"`}><meter min="0" max="1" value="${Math.min(1, cpu)}" aria-label="Load of ${name}"></meter> ${Math.round(cpu * 100)} %</td>
      <td data-label="Running jobs">${role === 'worker' ? rate(busyJobs) : '–'}</td>
      <td data-label="Memory">${byteSize(memoryBytes)}</td>
      <td data-label="Event loop delay">${Math.round(delaySeconds * 1000)} ms</td>
      <td data-label="Release">${version}</td>
      <td data-label="Uptime">${duration(upSeconds * 1000)}</td>
    </tr>`
}

export function failureList(request: FastifyRequest, { failures, queues }: Health, now: Date) {
  const failed = queues.reduce((sum, { jobs }) => sum + jobs.failed, 0)
  const shown = failures.reduce((sum, { count }) => sum + count, 0)

  if (failures.length === 0) return html`<p class="empty">No job failed.</p>`

  return html`
    <ul class="rows">${failures.map(
      ({ queue, job, reason, count: jobs, lastAt }) => html`
      <li>
        <div>
          <p><strong>${count(jobs)} × ${job}</strong> <span class="hint">in ${queue}, last ${ago(lastAt, now)}</span></p>
          <p class="hint">${reason}</p>
        </div>
        ${formOf(request, { action: '/admin/failed_jobs/retry' }, html`${Object.entries({ queue, job, reason }).map(([name, value]) => html`<input${attributes({ type: 'hidden', name, value })}>`)}<button class="plain">Retry</button>`)}
      </li>`
    )}</ul>
    <p class="hint">${shown < failed && html`The newest ${count(shown)} of ${count(failed)}. `}Failed jobs are kept for 30 days. <a href="/admin/queues">Queues</a> shows and removes single ones.</p>`
}

const shownTables = 10

/** With the growth within the period. */
export function tableSizes({ tables }: Health, samples: Sample[], { name: period }: Period) {
  return html`
    <table class="stacked">
      <thead><tr><th scope="col">Table</th><th scope="col">Size</th><th scope="col">${period}</th><th scope="col">Rows, about</th></tr></thead>
      <tbody>${tables.slice(0, shownTables).map(({ name, bytes, rows }) => {
        const before = samples.find(({ values }) => values[tableValue(name)] !== undefined)?.values[tableValue(name)]

        return html`
        <tr>
          <th scope="row">${name}</th>
          <td data-label="Size">${byteSize(bytes)}</td>
          <td data-label="${period}">${before === undefined ? '–' : growth(bytes - before)}</td>
          <td data-label="Rows, about">${rows === null ? '–' : count(rows)}</td>
        </tr>`
      })}</tbody>
    </table>
    ${tables.length > shownTables && html`<p class="hint">And ${tables.length - shownTables} smaller ones, ${byteSize(tables.slice(shownTables).reduce((sum, { bytes }) => sum + bytes, 0))} together.</p>`}`
}

function growth(bytes: number) {
  return bytes === 0 ? '±0' : `${bytes > 0 ? '+' : '−'}${byteSize(Math.abs(bytes))}`
}

export function diskRows(disks: Disk[]) {
  return disks.map(
    ({ name, problem, freeBytes = 0, totalBytes = 1, daysUntilFull }) => html`
    <div>
      <dt>Disk: ${name}</dt>
      <dd${problem && html` class="bad"`}>${problem ?? html`<meter min="0" max="${totalBytes}" value="${totalBytes - freeBytes}" aria-label="Used space: ${name}"></meter> ${byteSize(freeBytes)} of ${byteSize(totalBytes)} free${daysUntilFull !== undefined && daysUntilFull < 365 && html`, full in about ${Math.max(1, Math.round(daysUntilFull))} days`}`}</dd>
    </div>`
  )
}
