import { findAssignedAlerts, findOpenAlerts, type OpenAlert } from '#alerts/open-alert-store.ts'
import { type FoundGroup, findAssignedGroups } from '#errors/search/found-group-store.ts'
import type { Viewer } from '#identity/viewer.ts'
import { findOpenIncidents, type OpenIncident } from '#issues/incident-store.ts'
import { findMentions, type MentioningIssue } from '#issues/overview-store.ts'
import type { Severity } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'

/** Something that waits for the user, and why. */
export interface Need {
  url: string
  kind: 'alert' | 'incident' | 'error' | 'issue'
  title: string
  projectId: number
  severity: Severity
  reasons: string[]
  at: Date
}

const maxRows = 12
const mentionDays = 14
const dayMs = 86_400_000

interface Scope {
  /** The projects whose alerts and errors the user sees. */
  monitored: number[]
  /** The projects whose incidents the user sees. */
  withIncidents: number[]
}

/**
 * What needs the user, the most urgent first: critical alerts that nobody has acknowledged and critical incidents, what is assigned
 * to them, where they were mentioned, then what else fires.
 */
export async function findNeeds(em: EntityManager, user: Viewer, { monitored, withIncidents }: Scope, now: Date) {
  const firing = await findOpenAlerts(em, monitored, maxRows, ['triggered'])
  const incidents = await findOpenIncidents(em, withIncidents, user.id, maxRows)
  const mentions = await findMentions(em, withIncidents, user.username, new Date(now.getTime() - mentionDays * dayMs), maxRows)
  const needs = [
    ...firing.filter(isCritical).map(alert => ofAlert(alert, 'not acknowledged')),
    ...incidents.filter(isCritical).map(incident => ofIncident(incident, 'critical')),
    ...(await findAssignedAlerts(em, monitored, user.id, maxRows)).map(alert => ofAlert(alert, 'assigned to you')),
    ...incidents.filter(incident => incident.is_assigned).map(incident => ofIncident(incident, 'assigned to you')),
    ...(await findAssignedGroups(em, monitored, user.id, maxRows)).map(ofGroup),
    ...mentions.map(ofMention),
    ...firing.filter(alert => !isCritical(alert)).map(alert => ofAlert(alert, 'not acknowledged')),
    ...incidents.filter(incident => !isCritical(incident)).map(incident => ofIncident(incident, 'open'))
  ]

  return mergeReasons(needs).slice(0, maxRows)
}

/** One need for each thing, where it stands first. */
function mergeReasons(needs: Need[]) {
  return [...Map.groupBy(needs, ({ url }) => url).values()].map((same): Need => {
    const reasons = same.flatMap(need => need.reasons)
    const [first] = same as [Need, ...Need[]]

    return { ...first, reasons: [...new Set(reasons)] }
  })
}

function isCritical({ severity }: { severity: Severity }) {
  return severity === 'critical'
}

function ofAlert({ project_id: projectId, iid, title, severity, started_at: at }: OpenAlert, reason: string): Need {
  return { url: `/projects/${projectId}/alerts/${iid}`, kind: 'alert', title, projectId, severity, reasons: [reason], at }
}

function ofIncident({ project_id: projectId, iid, title, severity, created_at: at }: OpenIncident, reason: string): Need {
  return { url: `/projects/${projectId}/incidents/${iid}`, kind: 'incident', title, projectId, severity, reasons: [reason], at }
}

function ofGroup({ project_id: projectId, id, name, description, last_seen_at: at }: FoundGroup): Need {
  const title = description === name ? name : `${name}: ${description}`

  return {
    url: `/projects/${projectId}/errors/${id}`,
    kind: 'error',
    title,
    projectId,
    severity: 'unknown',
    reasons: ['assigned to you'],
    at
  }
}

function ofMention({ project_id: projectId, iid, issue_type: type, title, severity, mentioned_at: at }: MentioningIssue): Need {
  return { url: `/projects/${projectId}/${type}s/${iid}`, kind: type, title, projectId, severity, reasons: ['mentions you'], at }
}
