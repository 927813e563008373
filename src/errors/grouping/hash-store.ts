import { byteaArray, type EntityManager, query } from '#platform/database/database.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { initialPriority, priorityValue } from '../groups/priority.ts'
import { type Claim, type GroupIds, hashKey } from './assign-groups.ts'
import { groupingVersion } from './group-event.ts'

interface HashRow {
  project_id: number
  hash: Buffer
  group_id: number
}

/** The group ids of the events' hashes; new hashes are missing. */
export async function findGroupIds(em: EntityManager, events: StoredEvent[]) {
  const keys = new Map(
    events.flatMap(event =>
      [...event.hashes, ...event.previousHashes].map(hash => [hashKey(event, hash), { projectId: event.projectId, hash }])
    )
  )
  const rows = await query<HashRow>(
    em,
    `SELECT h.project_id, h.hash, h.group_id
     FROM unnest($1::bigint[], $2::bytea[]) AS k (project_id, hash)
     JOIN error_hashes h USING (project_id, hash)`,
    keyColumns([...keys.values()])
  )

  return toGroups(rows)
}

/**
 * Inserts claims that no concurrent batch inserted first, and creates their groups. One statement in the order of the
 * keys: a batch with the same claims waits, but two never deadlock.
 */
export async function claimHashes(em: EntityManager, claims: Claim[]) {
  const newGroups = [...new Set(claims.map(({ group }) => group).filter(group => typeof group !== 'number'))]
  const indexes = new Map(newGroups.map((event, n) => [event, n]))
  const columns = <T>(read: (event: StoredEvent) => T) => newGroups.map(read)

  const rows = await query<HashRow>(em, insertClaims, [
    ...keyColumns(claims),
    claims.map(({ group }) => (typeof group === 'number' ? group : null)),
    claims.map(({ group }) => (typeof group === 'number' ? null : indexes.get(group))),
    groupingVersion,
    columns(event => event.projectId),
    columns(event => event.title.name),
    columns(event => event.title.description),
    columns(event => event.title.actor),
    columns(event => event.occurrence.platform ?? null),
    columns(event => event.occurrence.level),
    columns(event => event.occurrence.occurredAt.toISOString()),
    columns(event => event.title.isMessage),
    columns(({ occurrence: { level, isUnhandled } }) => priorityValue(initialPriority(level, isUnhandled)))
  ])

  return toGroups(rows)
}

const insertClaims = `
  WITH new_groups AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('error_groups', 'id')) AS id, f.*
    FROM unnest($6::bigint[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::boolean[],
      $14::smallint[]) WITH ORDINALITY AS f (project_id, name, description, actor, platform, level, seen_at, is_message, priority, number)
  ), claimed AS (
    INSERT INTO error_hashes (project_id, hash, group_id, grouping_version)
    SELECT c.project_id, c.hash, coalesce(c.group_id, new_groups.id), $5
    FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bigint[]) AS c (project_id, hash, group_id, group_index)
    LEFT JOIN new_groups ON new_groups.number = c.group_index + 1
    ORDER BY c.project_id, c.hash
    ON CONFLICT (project_id, hash) DO NOTHING
    RETURNING project_id, hash, group_id
  ), created AS (
    INSERT INTO error_groups (id, project_id, name, description, actor, platform, level, first_seen_at, last_seen_at, is_message, priority)
    OVERRIDING SYSTEM VALUE
    SELECT id, project_id, name, description, actor, platform, level, seen_at, seen_at, is_message, priority
    FROM new_groups WHERE id IN (SELECT group_id FROM claimed)
  )
  SELECT project_id, hash, group_id FROM claimed`

export async function moveHashes(em: EntityManager, moves: (Claim & { group: number })[]) {
  if (moves.length === 0) return
  await query(
    em,
    `UPDATE error_hashes h SET group_id = m.group_id
     FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS m (project_id, hash, group_id)
     WHERE h.project_id = m.project_id AND h.hash = m.hash`,
    [...keyColumns(moves), moves.map(({ group }) => group)]
  )
}

export async function deleteGroups(em: EntityManager, ids: number[]) {
  if (ids.length > 0) await query(em, 'DELETE FROM error_groups WHERE id = ANY ($1::bigint[])', [ids])
}

function keyColumns(keys: { projectId: number; hash: Buffer }[]) {
  return [keys.map(({ projectId }) => projectId), byteaArray(keys.map(({ hash }) => hash))]
}

function toGroups(rows: HashRow[]): GroupIds {
  return new Map(rows.map(({ project_id, hash, group_id }) => [`${project_id} ${hash.toString('latin1')}`, group_id]))
}
