import type { FastifyReply, FastifyRequest } from 'fastify'
import { findIntegration } from '../../../alerts/integrations/find-integration.ts'
import type { Integration } from '../../../alerts/integrations/integration.ts'
import { Role } from '../../../projects/members/member.ts'
import { type Html, html } from '../../layout/html.ts'
import { type PageContext, pageContext } from '../page-context.ts'
import { projectPage, tabLink } from '../project-page.ts'
import { kindTexts } from './kinds.ts'

/** Somebody on a page of an integration. */
export interface IntegrationContext extends PageContext {
  integration: Integration
  /** Under which all its pages lie. */
  integrationUrl: string
}

export async function integrationContext(request: FastifyRequest, least: number = Role.maintainer): Promise<IntegrationContext> {
  const context = await pageContext(request, least)
  const integration = await findIntegration(context.em, context.project.id, Number((request.params as { integration: string }).integration))

  return { ...context, integration, integrationUrl: `${context.projectUrl}/alert_integrations/${integration.id}` }
}

const places = {
  '': 'Details',
  '/connect': 'Connect',
  '/mapping': 'Mapping',
  '/test': 'Test'
}
const isForDevelopers = new Set(['/connect', '/test'])

export type Place = keyof typeof places

/** A page of an integration, beside its others. */
export function integrationPage(reply: FastifyReply, context: IntegrationContext, place: Place, content: Html) {
  const { integration, integrationUrl, isMaintainer } = context
  const open = Object.entries(places).filter(
    ([path]) => (isMaintainer || isForDevelopers.has(path)) && (integration.kind !== 'on_call' || path === '')
  )

  return projectPage(
    reply,
    context,
    { title: `${places[place]} · ${integration.name}`, tab: 'alert_integrations' },
    html`
    <h1>${integration.name}</h1>
    <p class="lead">${kindTexts[integration.kind].name} ${activeBadge(integration)}</p>
    <div class="beside">
      <nav class="side" aria-label="${integration.name}">${open.map(([path, name]) => tabLink(integrationUrl + path, name, path === place))}</nav>
      <div>${content}</div>
    </div>`
  )
}

export function activeBadge({ active }: Integration) {
  return active ? html`<span class="badge good">active</span>` : html`<span class="badge">off: it receives nothing</span>`
}

/** With a path on this server, as people and tools reach it. */
export function intakeUrl({ integration, admin, project }: IntegrationContext) {
  return integration.url(admin.config.baseUrl, project.fullPath)
}
