import { sql } from 'kysely'
import type { EntityManager } from '../../platform/database/database.ts'
import { allOf } from '../../platform/database/filter.ts'

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
  /** Only feedback on these errors. */
  groupIds?: number[]
  isAscending: boolean
  after?: number
  limit: number
}

/** Feedback is given soon after its event; this limits the partitions in which the event is looked up. */
const maxDelayDays = 30

/** Lists user feedback, each with the error of its event while that event is kept. */
export async function listFeedback(em: EntityManager, projectId: number, { groupIds, isAscending, after, limit }: Page) {
  const isInGroups =
    groupIds &&
    sql`f.event_id IN (SELECT event_id FROM error_events WHERE project_id = ${projectId} AND group_id = ANY (${groupIds}::bigint[]))`
  const isAfter = after !== undefined && sql`f.id ${sql.raw(isAscending ? '>' : '<')} ${after}`
  const { rows } = await sql<FeedbackRow>`
    SELECT f.id, f.event_id, e.group_id, f.name, f.email, f.comments, f.received_at
    FROM error_feedback f LEFT JOIN LATERAL (
      SELECT group_id FROM error_events e
      WHERE e.project_id = f.project_id AND e.event_id = f.event_id
        AND e.day BETWEEN (f.received_at AT TIME ZONE 'UTC')::date - ${sql.lit(maxDelayDays)} AND (f.received_at AT TIME ZONE 'UTC')::date + 1
      LIMIT 1
    ) e ON true
    WHERE ${allOf(sql`f.project_id = ${projectId}`, isInGroups, isAfter)}
    ORDER BY f.id ${sql.raw(isAscending ? 'ASC' : 'DESC')} LIMIT ${limit}`.execute(em.getKysely())

  return rows
}
