import type { FastifyInstance } from 'fastify'
import { listIntegrations } from '../../../alerts/integrations/find-integration.ts'
import type { Integration } from '../../../alerts/integrations/integration.ts'
import { Role } from '../../../projects/members/member.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { type Visit, visitOf } from '../page-context.ts'
import { projectPage } from '../project-page.ts'
import { activity } from './integration-page.ts'
import { kinds } from './kinds.ts'

/** Where a project's alerts come from. */
export async function integrationsPage(app: FastifyInstance) {
  app.get('/projects/:id/alert_integrations', { onRequest: requirePerson(app) }, async (request, reply) => {
    const visit = await visitOf(request, Role.developer)
    const integrations = await listIntegrations(visit.em, visit.project.id)

    return projectPage(
      reply,
      visit,
      { title: 'Alert integrations', tab: 'alert_integrations' },
      html`
      <div class="heading">
        <h1>Alert integrations</h1>
        ${visit.isMaintainer && integrations.length > 0 && newLink(visit)}
      </div>
      <p class="lead">Each is an address that a monitoring tool sends its alerts to, with a key of its own.</p>
      ${
        integrations.length > 0
          ? html`<ul class="rows">${integrations.map(integration => row(visit, integration))}</ul>`
          : html`<div class="empty"><p>Nothing sends alerts to this project yet.</p>${visit.isMaintainer ? newLink(visit) : html`<p>A maintainer can make an integration.</p>`}</div>`
      }`
    )
  })
}

function newLink({ root }: Visit) {
  return html`<a class="button" href="${root}/alert_integrations/new">New integration</a>`
}

function row({ root, isMaintainer, keeper, project }: Visit, integration: Integration) {
  const { id, name, kind, externalUrl } = integration
  const home = `${root}/alert_integrations/${id}`
  const isLink = kind === 'on_call'

  return html`
    <li>
      <div>
        <p>${isMaintainer ? html`<a href="${home}"><strong>${name}</strong></a>` : html`<strong>${name}</strong>`} <span class="badge">${kinds[kind].name}</span> ${activity(integration)}</p>
        <p class="hint address">${isLink ? html`<a href="${externalUrl}" rel="noreferrer noopener">${externalUrl}</a>` : integration.url(keeper.config.baseUrl, project.fullPath)}</p>
      </div>
      ${
        !isLink &&
        html`<p class="ways"><a href="${home}/connect" aria-label="Connect ${name}">Connect</a> <a href="${home}/test" aria-label="Test ${name}">Test</a></p>`
      }
    </li>`
}
