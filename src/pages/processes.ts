import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { listProcesses } from '../platform/heartbeat.ts'

/** Who is at work: every process that told of itself lately, and when it last did. */
export async function processesPage(app: FastifyInstance, { path, guard }: { path: string; guard: onRequestAsyncHookHandler }) {
  app.get(path, { onRequest: guard }, async (_request, reply) => {
    const processes = await listProcesses(app.platform.pool)

    Object.assign(reply, { title: 'Processes · Tocsin', isWide: true })

    return reply.html`
      <section class="card">
        <h1>Processes</h1>
        <table>
          <thead><tr><th scope="col">Process</th><th scope="col">Role</th><th scope="col">Works</th><th scope="col">Up for</th><th scope="col">Last heard of</th></tr></thead>
          <tbody>
            !${processes.map(
              ({ name, role, queues, upSeconds, silentSeconds, isGone }) => app.html`
              <tr>
                <td>${name}</td>
                <td>${role}</td>
                <td>${queues.join(', ')}</td>
                <td>${duration(upSeconds)}</td>
                <td class="${isGone ? 'problem' : ''}">${duration(silentSeconds)} ago${isGone ? ' (gone?)' : ''}</td>
              </tr>`
            )}
          </tbody>
        </table>
        <p class="hint">Each process tells of itself every few seconds. <a href="/admin/queues">Back to the queues</a></p>
      </section>`
  })
}

function duration(seconds: number) {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`

  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
