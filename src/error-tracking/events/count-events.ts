import { type EntityManager, query } from '../../platform/database/database.ts'
import { findGroups, hashKey } from '../groups/load-groups.ts'
import { folding, type StoredRow, toArrivals } from '../store/aggregate-events.ts'
import { findNews } from '../store/event-store.ts'
import { regress } from '../store/regress-groups.ts'
import type { StoredEvent } from './stored-event.ts'

/**
 * Adds events to their groups without storing them. Nothing of them is left by which they could be known again: callers
 * see to it that those of an envelope are `fresh` only once.
 */
export async function countEvents(em: EntityManager, events: StoredEvent[], isFresh: (event: StoredEvent) => boolean, at: Date) {
  if (events.length === 0) return []
  const groups = await findGroups(em, events)
  const fresh = events.filter(isFresh)

  if (fresh.length > 0) await regress(em, toArrivals(await addToGroups(em, fresh, groups)), at)

  return findNews(em, events, groups)
}

function addToGroups(em: EntityManager, events: StoredEvent[], groups: Map<string, number>) {
  const columns = <T>(read: (event: StoredEvent) => T) => events.map(read)

  return query<StoredRow>(em, counting, [
    columns(event => event.projectId),
    columns(event => groups.get(hashKey(event))),
    columns(event => event.day),
    columns(event => event.occurrence.occurredAt.toISOString()),
    columns(event => event.occurrence.environment ?? null),
    columns(event => event.occurrence.release ?? null),
    columns(event => event.envelopeId),
    columns(event => event.occurrence.user?.hash.readBigInt64BE().toString() ?? null)
  ])
}

const counting = `
  WITH stored AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::date[], $4::timestamptz[], $5::text[], $6::text[], $7::uuid[], $8::bigint[])
      AS e (project_id, group_id, day, occurred_at, environment, release, envelope_id, user_hash)
  ),${folding}`
