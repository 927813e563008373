import { sql } from 'kysely'
import { alertUrl } from '#alerts/alert.ts'
import { scrubMessage } from '#lib/scrub/scrub-text.ts'
import { isWebUrl } from '#lib/web-url.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { presentFacts, type Subject, timeFact } from './subject.ts'

/** Alerts are stored as they were sent: secrets in their texts do not leave the installation. */
export async function loadAlertSubjects(em: EntityManager, ids: number[], baseUrl: string): Promise<Subject[]> {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('alerts as a')
    .where('a.id', '=', sql<number>`ANY (${ids}::bigint[])`)
    .select([
      'a.id',
      'a.project_id',
      'a.iid',
      'a.title',
      'a.description',
      'a.status',
      'a.severity',
      'a.service',
      'a.monitoring_tool',
      'a.hosts',
      'a.environment',
      'a.labels',
      'a.runbook',
      'a.events',
      'a.started_at',
      'a.ended_at'
    ])
    .select(sql<number[]>`array(SELECT user_id FROM alert_assignees WHERE alert_id = a.id)`.as('assignee_ids'))
    .execute()

  return rows.map(row => ({
    type: 'alert',
    id: row.id,
    projectId: row.project_id,
    reference: `^alert#${row.iid}`,
    title: scrubMessage(row.title),
    url: alertUrl(baseUrl, row.project_id, row.iid),
    status: row.status,
    severity: row.severity,
    environments: row.environment ? [row.environment] : [],
    releases: [],
    tags: [`severity=${row.severity}`, ...alertTags(row)],
    minRole: Role.developer,
    assigneeIds: row.assignee_ids,
    runbook: runbookUrl(row),
    facts: factsOf(row)
  }))
}

export interface TaggedAlert {
  service: string | null
  monitoring_tool: string | null
  hosts: string[]
  environment: string | null
  labels: string[]
  runbook: string | null
}

interface Row extends TaggedAlert {
  severity: string
  description: string | null
  events: number
  started_at: Date
  ended_at: Date | null
}

/** Labels are tags under the names that the sender gave them. */
export function alertTags({ service, monitoring_tool: tool, hosts, labels }: TaggedAlert) {
  return [
    ...(service ? [`service=${service}`] : []),
    ...(tool ? [`monitoring_tool=${tool}`] : []),
    ...hosts.map(host => `host=${host}`),
    ...labels.map(scrubMessage)
  ]
}

export function runbookUrl({ runbook }: TaggedAlert) {
  return runbook && isWebUrl(runbook) ? scrubMessage(runbook) : undefined
}

function factsOf(row: Row): Subject['facts'] {
  return presentFacts([
    ['Severity', row.severity],
    ['Description', row.description && scrubMessage(row.description)],
    ['Runbook', row.runbook && scrubMessage(row.runbook)],
    ['Labels', shownLabels(row.labels).map(scrubMessage).join(', ')],
    ['Service', row.service],
    ['Hosts', row.hosts.join(', ')],
    ['Environment', row.environment],
    timeFact('Started', row.started_at),
    row.ended_at ? timeFact('Ended', row.ended_at) : ['Ended', null],
    ['Occurrences', row.events > 1 ? String(row.events) : null],
    ['Monitoring tool', row.monitoring_tool]
  ])
}

/** Without those that messages show elsewhere. */
function shownLabels(labels: string[]) {
  return labels.filter(label => !/^(severity|runbook_url)=/.test(label))
}
