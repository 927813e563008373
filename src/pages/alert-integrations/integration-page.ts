import type { FastifyReply, FastifyRequest } from 'fastify'
import { findIntegration } from '#alerts/integrations/find-integration.ts'
import type { Integration } from '#alerts/integrations/integration.ts'
import { Role } from '#projects/members/member.ts'
import { type Html, html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage, tabLink } from '../projects/project-page.ts'
import { kindTexts } from './kinds.ts'

export interface IntegrationContext extends PageContext {
  integration: Integration
  /** The path of its pages. */
  integrationUrl: string
}

export async function integrationContext(request: FastifyRequest, minRole: number = Role.maintainer): Promise<IntegrationContext> {
  const context = await pageContext(request, minRole)
  const integration = await findIntegration(context.em, context.project.id, Number((request.params as { integration: string }).integration))

  return { ...context, integration, integrationUrl: `${context.projectUrl}/alert_integrations/${integration.id}` }
}

const tabs = {
  '': 'Details',
  '/connect': 'Connect',
  '/mapping': 'Mapping',
  '/test': 'Test'
}
const isForDevelopers = new Set(['/connect', '/test'])

export type IntegrationTab = keyof typeof tabs

/** A page of an integration with its navigation. */
export function integrationPage(reply: FastifyReply, context: IntegrationContext, tab: IntegrationTab, content: Html) {
  const { integration, integrationUrl, isMaintainer } = context
  const visible = Object.entries(tabs).filter(
    ([path]) => (isMaintainer || isForDevelopers.has(path)) && (integration.kind !== 'on_call' || path === '')
  )

  return projectPage(
    reply,
    context,
    { title: `${tabs[tab]} · ${integration.name}`, tab: 'alert_integrations' },
    html`
    <h1>${integration.name}</h1>
    <p class="lead">${kindTexts[integration.kind].name} ${activeBadge(integration)}</p>
    <nav class="tabs" aria-label="${integration.name}">${visible.map(([path, name]) => tabLink(integrationUrl + path, name, path === tab))}</nav>
    ${content}`
  )
}

export function activeBadge({ active }: Integration) {
  return active ? html`<span class="badge good">active</span>` : html`<span class="badge">inactive</span>`
}

export function intakeUrl({ integration, admin, project }: IntegrationContext) {
  return integration.url(admin.config.baseUrl, project.fullPath)
}
