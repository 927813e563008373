import type { EntityManager } from '../../platform/database/database.ts'
import { eventDefaults, type IntegrationEvents, integrationTypes } from '../../projects/integrations/integration-types.ts'
import { ProjectIntegration } from '../../projects/integrations/project-integration.ts'
import type { ChannelKind } from '../channels/channel.ts'
import type { ActiveRule } from './active-rule.ts'

/** The project integrations that send messages, and the kind of channel that writes them. */
export const integrationKinds: Record<string, ChannelKind> = {
  slack: 'slack',
  mattermost: 'mattermost',
  discord: 'discord',
  'microsoft-teams': 'teams'
}

const triggers: Partial<Record<keyof IntegrationEvents, string[]>> = {
  issues_events: ['issue.opened', 'issue.closed', 'issue.reopened'],
  incident_events: ['incident.opened', 'incident.closed', 'incident.reopened'],
  note_events: ['note.created'],
  alert_events: ['alert.triggered', 'alert.resolved']
}

/** An active integration acts as a rule for the events that it reports, with a channel of its own. */
export async function findIntegrationRules(em: EntityManager, projectId: number): Promise<ActiveRule[]> {
  const integrations = await em.find(ProjectIntegration, { projectId, active: true, slug: { $in: Object.keys(integrationKinds) } })

  return integrations.map(integration => ({
    rule: {
      id: 0,
      projectId,
      name: integrationTypes[integration.slug]!.title,
      triggers: triggersOf(integration),
      severityFloor: null,
      levels: [],
      environments: [],
      releases: [],
      tags: [],
      gatherMinutes: 5
    },
    channels: [{ kind: integrationKinds[integration.slug]!, projectId, hourlyLimit: 60, settings: {}, integrationId: integration.id }]
  }))
}

function triggersOf({ events }: ProjectIntegration) {
  const reported = { ...eventDefaults, ...events }

  return Object.entries(triggers).flatMap(([event, kinds]) => (reported[event as keyof IntegrationEvents] ? kinds : []))
}
