import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { findEventGroupIds } from '../merge/pending-moves.ts'
import { selectEvents } from './select-events.ts'

/** As in the distribution of tags. */
const maxEvents = 1000

/** The ids of the events with a tag (`browser.name=Firefox`) among the latest 1,000 of a group, newest first. */
export async function listTaggedEvents(em: EntityManager, group: ErrorGroup, tag: string) {
  const groupIds = await findEventGroupIds(em, group)
  const rows = await em
    .getKysely<Tables>()
    .with(
      cte => cte('latest').materialized(),
      () => selectEvents(em, { projectId: group.projectId, groupIds, limit: maxEvents }, ['tags'])
    )
    .selectFrom('latest')
    .select('event_id')
    .where(sql<boolean>`tags @> ARRAY[${tag}]`)
    .orderBy('occurred_at', 'desc')
    .orderBy('event_id', 'desc')
    .execute()

  return rows.map(row => row.event_id)
}
