import type { FastifyInstance } from 'fastify'
import { listIntegrations } from '#alerts/integrations/find-integration.ts'
import type { Integration } from '#alerts/integrations/integration.ts'
import { findMisfits } from '#alerts/integrations/misfit-store.ts'
import { findPreset } from '#alerts/presets/presets.ts'
import { Role } from '#projects/members/member.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { activeBadge } from './integration-page.ts'
import { kindTexts } from './kinds.ts'

export async function integrationsPage(app: FastifyInstance) {
  app.get('/projects/:id/alert_integrations', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const integrations = await listIntegrations(context.em, context.project.id).list(100)
    const misfits = await findMisfits(
      context.em,
      integrations.map(({ id }) => id)
    )

    return projectPage(
      reply,
      context,
      { title: 'Alert integrations', tab: 'alert_integrations' },
      html`
      <div class="heading">
        <h1>Alert integrations</h1>
        ${context.isMaintainer && integrations.length > 0 && newLink(context)}
      </div>
      <p class="lead">Each integration has a URL that a monitoring tool sends alerts to, and its own key.</p>
      ${
        integrations.length > 0
          ? html`<ul class="rows">${integrations.map(integration => row(context, integration, misfits.has(integration.id)))}</ul>`
          : html`<div class="empty"><p>No integrations yet.</p>${context.isMaintainer ? newLink(context) : html`<p>Maintainers can create one.</p>`}</div>`
      }`
    )
  })
}

function newLink({ projectUrl }: PageContext) {
  return html`<a class="button" href="${projectUrl}/alert_integrations/new">New integration</a>`
}

function row({ projectUrl, isMaintainer, admin, project }: PageContext, integration: Integration, isMisfit: boolean) {
  const { id, name, kind, externalUrl } = integration
  const integrationUrl = `${projectUrl}/alert_integrations/${id}`
  const isLink = kind === 'on_call'

  return html`
    <li>
      <div>
        <p>${isMaintainer ? html`<a href="${integrationUrl}"><strong>${name}</strong></a>` : html`<strong>${name}</strong>`} <span class="badge">${findPreset(integration.preset)?.label ?? kindTexts[kind].name}</span> ${activeBadge(integration)} ${isMisfit && html`<a class="badge bad" href="${integrationUrl}/connect">payloads do not match</a>`}</p>
        <p class="hint address">${isLink ? html`<a href="${externalUrl}" rel="noreferrer noopener">${externalUrl}</a>` : integration.url(admin.config.baseUrl, project.fullPath)}</p>
      </div>
      ${
        !isLink &&
        html`<p class="ways"><a href="${integrationUrl}/connect" aria-label="Connect ${name}">Connect</a> <a href="${integrationUrl}/test" aria-label="Test ${name}">Test</a></p>`
      }
    </li>`
}
