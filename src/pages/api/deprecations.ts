import type { FastifyInstance } from 'fastify'
import { type NotApplicable, notApplicable } from '#api/deprecations/not-applicable.ts'
import { type Deprecation, type DeprecationName, deprecations } from '#lib/deprecations/schedule.ts'
import { type Stage, stageOf, type Version } from '#lib/deprecations/stages.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { prose } from '../layout/prose.ts'

const stages: Record<Stage, string> = { current: 'Works', deprecated: 'Deprecated', removed: 'Removed' }

/** Lists deprecations and their stage in the configured GitLab version. */
export async function deprecationsPage(app: FastifyInstance) {
  const { config } = app.platform

  app.get('/help/deprecations', { onRequest: app.allowAnyone }, async (_request, reply) => {
    return page(
      reply,
      { title: 'Deprecations' },
      html`
      <section class="card help">
        <h1>Deprecations</h1>
        <p>This installation behaves as GitLab version <strong>${config.serviceVersion}</strong> (<code>SERVICE_VERSION</code>). Responses that are affected by
        a deprecation have the headers <code>Deprecation</code>, <code>Sunset</code> and <code>Link</code>. Version 5 of the API has no release date.</p>
        <table class="stacked">
          <thead><tr><th scope="col">What</th><th scope="col">Deprecated</th><th scope="col">Removed</th><th scope="col">Here</th><th scope="col">Instead</th></tr></thead>
          <tbody>${Object.keys(deprecations).map(name => row(config, name as DeprecationName))}</tbody>
        </table>
      </section>
      <section class="card help">
        <h2>Not applicable</h2>
        <p>These entries of GitLab's schedule are about features that do not exist here.</p>
        <table class="stacked">
          <thead><tr><th scope="col">What</th><th scope="col">GitLab</th><th scope="col">Here</th></tr></thead>
          <tbody>${Object.entries(notApplicable).map(absentRow)}</tbody>
        </table>
        <p class="hint"><a href="/help/api">The REST API</a></p>
      </section>`
    )
  })
}

function row(version: Version, name: DeprecationName) {
  const { what, since, removedIn, note }: Deprecation = deprecations[name]
  const stage = stageOf(version, name)

  return html`
    <tr id="${name}">
      <td>${prose(what)}</td>
      <td data-label="Deprecated">${since ?? '–'}</td>
      <td data-label="Removed">${removedIn}</td>
      <td data-label="Here" class="${stage}">${stages[stage]}</td>
      <td>${prose(note)}</td>
    </tr>`
}

function absentRow([name, { what, removedIn, reason }]: [string, NotApplicable]) {
  return html`
    <tr id="${name}">
      <td>${prose(what)}</td>
      <td data-label="GitLab">${removedIn ?? '–'}</td>
      <td data-label="Here">Not applicable: ${reason}</td>
    </tr>`
}
