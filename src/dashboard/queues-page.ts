import type { FastifyInstance } from 'fastify'
import { count } from '#lib/counted.ts'
import { adminPage } from '#pages/admin/admin-page.ts'
import { html } from '#pages/layout/html.ts'
import { duration } from '#pages/layout/time.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { type QueueState, queueStates } from './health/queue-state.ts'

const path = '/admin/queues'
/** Where bull-board is. */
export const boardPath = `${path}/board`

/** What waits in each queue, with bull-board, which shows single jobs, in a frame. */
export async function queuesPage(app: FastifyInstance) {
  app.get(path, { onRequest: requirePerson(app, app.requireAdmin) }, async (_request, reply) => {
    const { queues, backlog } = app.platform

    if (Object.keys(backlog.samples).length === 0) await backlog.sample()

    return adminPage(reply, { title: 'Queues', tab: path, hasFrame: true }, queuesView(queueStates(queues, backlog.samples)))
  })
}

function queuesView(queues: QueueState[]) {
  return html`
    <h1>Queues</h1>
    <p class="lead">A job holds one item or a batch of them. <a href="/admin#failed">Health</a> shows why jobs fail, and how queues grew.</p>
    <table class="stacked" id="queues" data-live="5">
      <thead><tr><th scope="col">Queue</th><th scope="col">Waiting items</th><th scope="col">Waiting jobs</th><th scope="col">Oldest</th><th scope="col">Running</th><th scope="col">Delayed</th><th scope="col">Failed</th><th scope="col">Workers</th></tr></thead>
      <tbody>${queues.map(row)}</tbody>
    </table>
    <h2>Jobs</h2>
    <p class="hint">Single jobs, in all states: the number beside a queue includes those that are done, which most queues keep for a day. Batches of errors, alerts and activity are deleted when they are done. Waiting jobs are “prioritized”, because projects take turns. <code>alerts-0</code> is the first shard of the queue alerts.</p>
    <iframe class="board" src="${boardPath}" title="Jobs"></iframe>
    <p><a href="${boardPath}" target="_blank">Open the jobs in a tab of their own</a></p>`
}

function row({ name, waitingItems, oldestSeconds, jobs, workers }: QueueState) {
  return html`
    <tr>
      <th scope="row">${name}</th>
      <td data-label="Items">${count(waitingItems)}</td>
      <td data-label="Waiting">${count(jobs.waiting)}</td>
      <td data-label="Oldest"${oldestSeconds >= 60 && html` class="bad"`}>${waitingItems > 0 || oldestSeconds > 0 ? duration(oldestSeconds * 1000) : '–'}</td>
      <td data-label="Running">${count(jobs.active)}</td>
      <td data-label="Delayed">${count(jobs.delayed)}</td>
      <td data-label="Failed"${jobs.failed > 0 && html` class="bad"`}>${count(jobs.failed)}</td>
      <td data-label="Workers"${workers === 0 && html` class="bad"`}>${workers}</td>
    </tr>`
}
