import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { personJson } from '#projects/members/assignees.ts'
import type { PersonLike } from '#projects/present-project.ts'
import type { IncidentStatus } from './issue-note.ts'

interface StatusUpdate {
  incident_status: IncidentStatus
  body: string
  created_at: Date
  author: PersonLike | null
}

/** The latest status update of an incident. */
export function findLatestUpdate(em: EntityManager, issueId: number): Promise<StatusUpdate | undefined> {
  return em
    .getKysely<Tables>()
    .selectFrom('issue_notes as n')
    .leftJoin('users as u', 'u.id', 'n.author_id')
    .where('n.issue_id', '=', issueId)
    .where('n.incident_status', 'is not', null)
    .select([sql<IncidentStatus>`n.incident_status`.as('incident_status'), 'n.body', 'n.created_at', personJson('u').as('author')])
    .orderBy('n.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
