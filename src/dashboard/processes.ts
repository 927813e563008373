import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { count } from '#lib/counted.ts'
import { adminPage } from '#pages/admin/admin-page.ts'
import { html } from '#pages/layout/html.ts'
import { listProcesses } from '#platform/observability/heartbeat.ts'
import type { QueueSample } from '#platform/queue/backlog/queue-sampler.ts'

/** Lists processes with their last heartbeat. */
export async function processesPage(app: FastifyInstance, { path, guard }: { path: string; guard: onRequestAsyncHookHandler }) {
  app.get(path, { onRequest: guard }, async (_request, reply) => {
    const processes = await listProcesses(app.platform.pool)

    return adminPage(
      reply,
      { title: 'Processes', tab: path },
      html`
      <h1>Processes</h1>
      <p class="lead">Each process sends a heartbeat every few seconds.</p>
      <table class="stacked">
        <thead><tr><th scope="col">Process</th><th scope="col">Role</th><th scope="col">Queues</th><th scope="col">Uptime</th><th scope="col">Last heartbeat</th></tr></thead>
        <tbody>${processes.map(row)}</tbody>
      </table>
      ${processes.length === 0 && html`<p class="empty">No process has sent a heartbeat yet.</p>`}
      <h2>Backlogs</h2>
      <table class="stacked" id="backlogs">
        <thead><tr><th scope="col">Queue</th><th scope="col">Workers</th><th scope="col">Waiting items</th><th scope="col">Processed per second</th><th scope="col">Time to clear</th></tr></thead>
        <tbody>${Object.entries(app.platform.backlog.samples).map(backlogRow)}</tbody>
      </table>`
    )
  })
}

function row({ name, role, queues, upSeconds, silentSeconds, isGone }: Awaited<ReturnType<typeof listProcesses>>[number]) {
  return html`
    <tr>
      <th scope="row">${name}</th>
      <td data-label="Role">${role}</td>
      <td data-label="Queues">${queues.join(', ')}</td>
      <td data-label="Uptime">${duration(upSeconds)}</td>
      <td data-label="Last heartbeat"${isGone && html` class="bad"`}>${duration(silentSeconds)} ago${isGone && ' (not responding)'}</td>
    </tr>`
}

function backlogRow([queue, { workers, waitingItems, drain }]: [string, QueueSample]) {
  const { perSecond, secondsLeft } = drain

  return html`
    <tr>
      <th scope="row">${queue}</th>
      <td data-label="Workers"${workers === 0 && html` class="bad"`}>${workers}</td>
      <td data-label="Waiting items">${count(waitingItems)}</td>
      <td data-label="Processed per second">${perSecond.toFixed(1)}</td>
      <td data-label="Time to clear">${secondsLeft === undefined ? 'not draining' : duration(secondsLeft)}</td>
    </tr>`
}

function duration(seconds: number) {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`

  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
