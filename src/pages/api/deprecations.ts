import type { FastifyInstance } from 'fastify'
import { type Stage, stageOf } from '../../http/deprecations/deprecations.ts'
import { type Deprecation, type DeprecationName, deprecations } from '../../http/deprecations/schedule.ts'
import { prose } from '../layout/prose.ts'

const stages: Record<Stage, string> = { current: 'Works', deprecated: 'Deprecated', removed: 'Removed' }

/** What is on its way out, and what holds at the version this installation behaves as. */
export async function deprecationsPage(app: FastifyInstance) {
  const { config } = app.platform

  app.get('/help/deprecations', async (_request, reply) => {
    Object.assign(reply, { title: 'Deprecations · Tocsin', isWide: true })

    return reply.html`
      <section class="card help">
        <h1>Deprecations</h1>
        <p>This installation behaves as version <strong>${config.serviceVersion}</strong> (<code>SERVICE_VERSION</code>). An answer that something on this page
        applies to says so in the headers <code>Deprecation</code>, <code>Sunset</code> and <code>Link</code>. Version 5 of the API has no date.</p>
        <table class="stacked">
          <thead><tr><th scope="col">What</th><th scope="col">Deprecated</th><th scope="col">Removed</th><th scope="col">Here</th><th scope="col">Instead</th></tr></thead>
          <tbody>!${Object.keys(deprecations).map(name => row(app, name as DeprecationName))}</tbody>
        </table>
        <p class="hint"><a href="/help/api">The REST API</a></p>
      </section>`
  })
}

function row(app: FastifyInstance, name: DeprecationName) {
  const { what, since, removedIn, note }: Deprecation = deprecations[name]
  const stage = stageOf(app.platform.config, name)

  return app.html`
    <tr id="${name}">
      <td>!${prose(app, what)}</td>
      <td data-label="Deprecated">${since ?? '–'}</td>
      <td data-label="Removed">${removedIn}</td>
      <td data-label="Here" class="${stage}">${stages[stage]}</td>
      <td>!${prose(app, note)}</td>
    </tr>`
}
