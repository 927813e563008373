import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { alertTags, runbookUrl, type TaggedAlert } from './alert-subjects.ts'
import type { Subject } from './subject.ts'

const maxAlerts = 1000

export async function loadIssueSubjects(em: EntityManager, ids: number[], baseUrl: string): Promise<Subject[]> {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('issues as i')
    .where('i.id', '=', sql<number>`ANY (${ids}::bigint[])`)
    .select([
      'i.id',
      'i.project_id',
      'i.iid',
      'i.issue_type',
      'i.title',
      'i.description',
      'i.state',
      'i.severity',
      'i.author_id',
      'i.due_date'
    ])
    .select(sql<number[]>`array(SELECT user_id FROM issue_assignees WHERE issue_id = i.id)`.as('assignee_ids'))
    .select(
      sql<string[]>`array(SELECT l.name FROM issue_labels x JOIN labels l ON l.id = x.label_id WHERE x.issue_id = i.id ORDER BY l.name)`.as(
        'labels'
      )
    )
    .execute()

  const incidentIds = rows.filter(({ issue_type }) => issue_type === 'incident').map(({ id }) => id)
  const alertsOf = await findAlerts(em, incidentIds)

  return rows.map(row => {
    const alerts = alertsOf.get(row.id) ?? []
    const isIncident = row.issue_type === 'incident'
    const path = isIncident ? 'incidents' : 'issues'

    return {
      type: isIncident ? 'incident' : 'issue',
      id: row.id,
      projectId: row.project_id,
      reference: `#${row.iid}`,
      title: row.title,
      url: `${baseUrl}/projects/${row.project_id}/${path}/${row.iid}`,
      status: row.state,
      ...(isIncident && { severity: row.severity }),
      environments: alerts.flatMap(({ environment }) => environment ?? []),
      releases: [],
      tags: [...row.labels.map(label => `label=${label}`), ...new Set(alerts.flatMap(alertTags))],
      minRole: Role.reporter,
      authorId: row.author_id,
      assigneeIds: row.assignee_ids,
      runbook: alerts.map(runbookUrl).find(Boolean),
      facts: [
        ...(isIncident ? [['Severity', row.severity] as [string, string]] : []),
        ...(row.due_date ? [['Due', row.due_date] as [string, string]] : []),
        ...(row.description ? [['Description', row.description] as [string, string]] : [])
      ]
    }
  })
}

/** The alerts of incidents, by incident: a rule or a mute for a label covers its incidents, too. */
async function findAlerts(em: EntityManager, incidentIds: number[]) {
  if (incidentIds.length === 0) return new Map<number, TaggedAlert[]>()
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('alerts')
    .where('issue_id', '=', sql<number>`ANY (${incidentIds}::bigint[])`)
    .select(['issue_id', 'service', 'monitoring_tool', 'hosts', 'environment', 'labels', 'runbook'])
    .orderBy('id')
    .limit(maxAlerts)
    .execute()

  return Map.groupBy(rows, ({ issue_id }) => issue_id) as Map<number, TaggedAlert[]>
}
