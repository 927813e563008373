import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectList } from '#platform/database/list.ts'
import type { FeedbackStatus } from './feedback-store.ts'

export type FeedbackRow = Awaited<ReturnType<ReturnType<typeof listFeedback>['list']>>[number]

/** Limits the partitions in which the event is searched. */
const maxDelayDays = 30

/** User feedback on some errors or all, newest first, each with the error of its event unless that is deleted. */
export function listFeedback(
  em: EntityManager,
  projectId: number,
  { groupIds, status }: { groupIds?: number[]; status?: FeedbackStatus } = {}
) {
  const received = sql<string>`(f.received_at AT TIME ZONE 'UTC')::date`
  const feedback = em
    .getKysely<Tables>()
    .selectFrom('error_feedback as f')
    .leftJoinLateral(
      db =>
        db
          .selectFrom('error_events as e')
          .select('e.group_id')
          .whereRef('e.project_id', '=', 'f.project_id')
          .whereRef('e.event_id', '=', 'f.event_id')
          .where('e.day', '>=', sql<string>`${received} - ${sql.lit(maxDelayDays)}`)
          .where('e.day', '<=', sql<string>`${received} + 1`)
          .limit(1)
          .as('e'),
      join => join.onTrue()
    )
    .select([
      'f.id',
      'f.event_id',
      'e.group_id',
      'f.name',
      'f.email',
      'f.comments',
      'f.url',
      'f.release',
      'f.environment',
      'f.status',
      'f.assignee_id',
      'f.own_id',
      'f.received_at'
    ])
    .where('f.project_id', '=', projectId)
    .$if(status !== undefined, feedback => feedback.where('f.status', '=', status!))
    .$if(groupIds !== undefined, feedback =>
      feedback.where('f.event_id', 'in', db =>
        db.selectFrom('error_events').select('event_id').where('project_id', '=', projectId).where('group_id', 'in', groupIds!)
      )
    )

  return selectList(em, {
    from: feedback,
    load: page => page.execute(),
    keys: [{ sql: 'f.id', type: 'bigint', of: row => row.id, sort: 'desc' }]
  })
}

/** The feedback that users gave on one event. */
export function listEventFeedback(em: EntityManager, projectId: number, eventId: string) {
  return em
    .getKysely<Tables>()
    .selectFrom('error_feedback')
    .select(['name', 'email', 'comments', 'received_at'])
    .where('project_id', '=', projectId)
    .where('event_id', '=', eventId)
    .orderBy('id')
    .limit(20)
    .execute()
}

/** What screenshots of a feedback name; undefined for one of an older SDK, which has none. */
export async function findOwnId(em: EntityManager, projectId: number, id: number) {
  const row = await em
    .getKysely<Tables>()
    .selectFrom('error_feedback')
    .select('own_id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()

  return row?.own_id ?? undefined
}
