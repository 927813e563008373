import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { countUpTo } from '#platform/database/filter.ts'
import { selectList } from '#platform/database/list.ts'
import { selectEvents } from '../events/select-events.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { findEventGroupIds } from './pending-moves.ts'

/** Limits the response time: older events are not counted. */
const maxEvents = 50_000

export type HashRow = Awaited<ReturnType<Awaited<ReturnType<typeof listHashes>>['list']>>[number]

/** The hashes of a group, those with the most events first. */
export async function listHashes(em: EntityManager, group: ErrorGroup) {
  const range = { projectId: group.projectId, groupIds: await findEventGroupIds(em, group), limit: maxEvents }
  const hashes = em
    .getKysely<Tables>()
    .with('latest', () => selectEvents(em, range, ['hash']))
    .with('counted', db =>
      db
        .selectFrom('latest')
        .select(e => ['hash', e.fn.countAll<number>().as('events'), e.fn.max('occurred_at').as('latest_at')])
        .select(sql<string>`(array_agg(event_id ORDER BY occurred_at DESC))[1]`.as('latest_event'))
        .groupBy('hash')
    )
    .selectFrom('error_hashes as h')
    .leftJoin('counted as c', 'c.hash', 'h.hash')
    .where('h.group_id', '=', group.id)
    .select(e => ['h.hash', e.fn.coalesce('c.events', e.lit(0)).as('events'), 'c.latest_event', 'c.latest_at'])

  const list = selectList(em, {
    from: hashes,
    load: page => page.execute(),
    keys: [
      { sql: 'events', sort: 'desc' },
      { sql: 'h.hash', sort: 'asc' }
    ]
  })
  const all = em.getKysely<Tables>().selectFrom('error_hashes').where('group_id', '=', group.id)

  // Without the events.
  return { ...list, count: (max = Number.MAX_SAFE_INTEGER) => countUpTo(em, all, max) }
}

/** The latest event with one of the hashes. Payloads of other events are not read. */
export async function findLatestEvent(em: EntityManager, { projectId, id }: ErrorGroup, hashes: Buffer[]) {
  return em
    .getKysely<Tables>()
    .selectFrom(selectEvents(em, { projectId, groupIds: [id], limit: maxEvents }, ['day', 'hash']).as('latest'))
    .innerJoin('error_events as e', join => join.onRef('e.event_id', '=', 'latest.event_id').onRef('e.day', '=', 'latest.day'))
    .where('e.project_id', '=', projectId)
    .where('latest.hash', 'in', hashes)
    .select(['e.payload', 'e.platform', 'e.level', 'e.occurred_at'])
    .orderBy('latest.occurred_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
