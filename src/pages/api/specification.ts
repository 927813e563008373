import type { FastifyInstance } from 'fastify'
import type { Version } from '../../http/deprecations/deprecations.ts'
import { chapters } from '../../http/specification/specification.ts'
import { type Section, stateOf, textOf } from '../../http/specification/statement.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { prose } from '../layout/prose.ts'

/** Lists what the specification says, and whether it holds here. */
export async function specificationPage(app: FastifyInstance) {
  const { config } = app.platform

  app.get('/help/specification', { onRequest: app.allowAnyone }, async (_request, reply) => {
    return page(
      reply,
      { title: 'Specification' },
      html`
      <section class="card help">
        <h1>Specification</h1>
        <p>What clients can rely on, statement by statement. A test is named after each. This installation behaves as GitLab version
        <strong>${config.serviceVersion}</strong> (<code>SERVICE_VERSION</code>); see also <a href="/help/api">the REST API</a> and
        <a href="/help/deprecations">deprecations</a>.</p>
        <ul>${chapters.map(({ title, sections }) => html`<li>${title}: ${sections.map(contents)}</li>`)}</ul>
      </section>
      ${chapters.flatMap(({ sections }) => sections.map(section => table(config, section)))}`
    )
  })
}

function contents({ title }: Section, index: number) {
  return html`${index > 0 ? ' · ' : ''}<a href="#${anchorOf(title)}">${title}</a>`
}

function table(config: Version, { title, statements }: Section) {
  return html`
    <section class="card help" id="${anchorOf(title)}">
      <h2>${title}</h2>
      <table class="stacked">
        <thead><tr><th scope="col">What</th><th scope="col">Statement</th><th scope="col">State</th></tr></thead>
        <tbody>${Object.entries(statements).map(
          ([name, statement]) => html`
          <tr>
            <td>${name}</td>
            <td data-label="Statement">${prose(textOf(statement))}</td>
            <td data-label="State">${stateOf(config, statement)}</td>
          </tr>`
        )}</tbody>
      </table>
    </section>`
}

function anchorOf(title: string) {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
