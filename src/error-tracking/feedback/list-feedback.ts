import { Conditions } from '../../platform/database/conditions.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'

export interface FeedbackRow {
  id: string
  event_id: string | null
  group_id: string | null
  name: string
  email: string
  comments: string
  received_at: string
}

interface Page {
  /** Of one error, or else of the whole project. */
  groupIds?: number[]
  isAscending: boolean
  after?: number
  limit: number
}

/** People write soon after what happened to them; this bounds in how many days' events it is looked for. */
const patienceDays = 30

/** What people said, each with the error it is about, as long as that event is kept. */
export async function listFeedback(em: EntityManager, projectId: number, { groupIds, isAscending, after, limit }: Page) {
  const { sql, values } = new Conditions()
    .add('f.project_id = ?', projectId)
    .add('f.event_id IN (SELECT event_id FROM error_events WHERE project_id = ? AND group_id = ANY (?::bigint[]))', projectId, groupIds)
    .add(`f.id ${isAscending ? '>' : '<'} ?`, after)

  return query<FeedbackRow>(
    em,
    `SELECT f.id, f.event_id, e.group_id, f.name, f.email, f.comments, f.received_at
     FROM error_feedback f LEFT JOIN LATERAL (
       SELECT group_id FROM error_events e
       WHERE e.project_id = f.project_id AND e.event_id = f.event_id
         AND e.day BETWEEN (f.received_at AT TIME ZONE 'UTC')::date - ${patienceDays} AND (f.received_at AT TIME ZONE 'UTC')::date + 1
       LIMIT 1
     ) e ON true
     WHERE ${sql} ORDER BY f.id ${isAscending ? 'ASC' : 'DESC'} LIMIT ${limit}`,
    values
  )
}
