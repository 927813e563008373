import type { FastifyReply, FastifyRequest } from 'fastify'
import { findIntegration } from '../../../alerts/integrations/find-integration.ts'
import type { Integration } from '../../../alerts/integrations/integration.ts'
import { Role } from '../../../projects/members/member.ts'
import { type Html, html } from '../../layout/html.ts'
import { type Visit, visitOf } from '../page-context.ts'
import { projectPage, tabLink } from '../project-page.ts'
import { kinds } from './kinds.ts'

/** Somebody on a page of an integration. */
export interface IntegrationVisit extends Visit {
  integration: Integration
  /** Under which all its pages lie. */
  home: string
}

export async function integrationVisitOf(request: FastifyRequest, least: number = Role.maintainer): Promise<IntegrationVisit> {
  const visit = await visitOf(request, least)
  const integration = await findIntegration(visit.em, visit.project.id, Number((request.params as { integration: string }).integration))

  return { ...visit, integration, home: `${visit.root}/alert_integrations/${integration.id}` }
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
export function integrationPage(reply: FastifyReply, visit: IntegrationVisit, place: Place, content: Html) {
  const { integration, home, isMaintainer } = visit
  const open = Object.entries(places).filter(
    ([path]) => (isMaintainer || isForDevelopers.has(path)) && (integration.kind !== 'on_call' || path === '')
  )

  return projectPage(
    reply,
    visit,
    { title: `${places[place]} · ${integration.name}`, tab: 'alert_integrations' },
    html`
    <h1>${integration.name}</h1>
    <p class="lead">${kinds[integration.kind].name} ${activity(integration)}</p>
    <div class="beside">
      <nav class="side" aria-label="${integration.name}">${open.map(([path, name]) => tabLink(home + path, name, path === place))}</nav>
      <div>${content}</div>
    </div>`
  )
}

export function activity({ active }: Integration) {
  return active ? html`<span class="badge good">active</span>` : html`<span class="badge">off: it receives nothing</span>`
}

/** With a path on this server, as people and tools reach it. */
export function addressOf({ integration, keeper, project }: IntegrationVisit) {
  return integration.url(keeper.config.baseUrl, project.fullPath)
}
