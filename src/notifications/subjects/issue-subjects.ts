import { sql } from 'kysely'
import type { IssueTable } from '../../issues/issue.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import type { Subject } from './subject.ts'

interface Tables {
  issues: IssueTable
}

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

  return rows.map(row => {
    const isIncident = row.issue_type === 'incident'
    const path = isIncident ? 'incidents' : 'issues'

    return {
      type: isIncident ? 'incident' : 'issue',
      id: Number(row.id),
      projectId: Number(row.project_id),
      reference: `#${row.iid}`,
      title: row.title,
      url: `${baseUrl}/projects/${row.project_id}/${path}/${row.iid}`,
      status: row.state,
      ...(isIncident && { severity: row.severity }),
      environments: [],
      releases: [],
      tags: row.labels.map(label => `label=${label}`),
      minRole: Role.reporter,
      authorId: row.author_id === null ? null : Number(row.author_id),
      assigneeIds: row.assignee_ids.map(Number),
      facts: [
        ...(isIncident ? [['Severity', row.severity] as [string, string]] : []),
        ...(row.due_date ? [['Due', row.due_date] as [string, string]] : []),
        ...(row.description ? [['Description', row.description] as [string, string]] : [])
      ]
    }
  })
}
