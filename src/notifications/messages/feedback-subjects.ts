import { sql } from 'kysely'
import { scrubMessage } from '#lib/scrub/scrub-text.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { presentFacts, type Subject } from './subject.ts'
import { cut } from './wording.ts'

const maxTitle = 100

export async function loadFeedbackSubjects(em: EntityManager, ids: number[], baseUrl: string): Promise<Subject[]> {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('error_feedback')
    .where('id', '=', sql<number>`ANY (${ids}::bigint[])`)
    .select(['id', 'project_id', 'name', 'email', 'comments', 'url', 'release', 'environment', 'status', 'assignee_id'])
    .execute()

  return rows.map(row => ({
    type: 'feedback',
    id: row.id,
    projectId: row.project_id,
    title: cut(scrubMessage(row.comments).replace(/\s+/g, ' '), maxTitle),
    url: `${baseUrl}/projects/${row.project_id}/feedback#feedback-${row.id}`,
    status: row.status,
    environments: row.environment ? [row.environment] : [],
    releases: row.release ? [row.release] : [],
    tags: [],
    minRole: Role.developer,
    assigneeIds: row.assignee_id === null ? [] : [row.assignee_id],
    facts: presentFacts([
      ['Comments', scrubMessage(row.comments)],
      ['From', [row.name, row.email].filter(Boolean).join(', ')],
      ['Page', row.url],
      ['Release', row.release],
      ['Environment', row.environment]
    ])
  }))
}
