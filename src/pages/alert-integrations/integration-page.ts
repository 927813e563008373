import type { FastifyReply, FastifyRequest } from 'fastify'
import { findIntegration } from '#alerts/integrations/find-integration.ts'
import type { Integration } from '#alerts/integrations/integration.ts'
import { findMisfits } from '#alerts/integrations/misfit-store.ts'
import { findPreset } from '#alerts/presets/presets.ts'
import { count } from '#lib/counted.ts'
import { Role } from '#projects/members/member.ts'
import { formOf } from '../layout/field.ts'
import { type Html, html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
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
export async function integrationPage(reply: FastifyReply, context: IntegrationContext, tab: IntegrationTab, content: Html) {
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
    <p class="lead">${findPreset(integration.preset)?.label ?? kindTexts[integration.kind].name} ${activeBadge(integration)}</p>
    <nav class="tabs" aria-label="${integration.name}">${visible.map(([path, name]) => tabLink(integrationUrl + path, name, path === tab))}</nav>
    ${await misfitNotice(reply.request, context)}
    ${content}`
  )
}

export function activeBadge({ active }: Integration) {
  return active ? html`<span class="badge good">active</span>` : html`<span class="badge">inactive</span>`
}

export function intakeUrl({ integration, admin, project }: IntegrationContext) {
  return integration.url(admin.config.baseUrl, project.fullPath)
}

/** A payload that was not of the expected sender was read all the same: here it says so. */
async function misfitNotice(request: FastifyRequest, { em, integration, integrationUrl, isMaintainer }: IntegrationContext) {
  const misfit = (await findMisfits(em, [integration.id])).get(integration.id)

  if (!misfit) return undefined
  const { payloads, last_at: at, missing, read_as: readAs } = misfit
  const sender = findPreset(integration.preset)?.label ?? kindTexts[integration.kind].name
  const lacks = missing.length > 0 && html`It lacks ${missing.map((name, n) => html`${n > 0 && ', '}<code>${name}</code>`)}. `

  return html`
    <div class="warning" role="status">
      <p><strong>${payloads === 1 ? 'A payload does' : `${count(payloads)} payloads do`} not match ${sender}.</strong> The last one arrived ${ago(at)}. ${lacks}It was read as ${readings[readAs]}.</p>
      <p>Check that the tool sends to the right integration, or change the sender${isMaintainer && html` in <a href="${integrationUrl}">its details</a> or its <a href="${integrationUrl}/mapping">mapping</a>`}.</p>
      ${isMaintainer && formOf(request, { action: `${integrationUrl}/misfits/dismissal` }, html`<button class="plain small">Dismiss</button>`)}
    </div>`
}

const readings = { alertmanager: 'a payload of Alertmanager', json: 'plain JSON, by the names of its fields and the mapping' }
