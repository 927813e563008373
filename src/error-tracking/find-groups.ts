import { byteaArray, type EntityManager, query } from '../platform/database.ts'
import { groupingVersion } from './fingerprint.ts'
import type { StoredEvent } from './occurrence.ts'

/** The group of every hash; those that nobody has seen get one of their own. */
export async function findGroups(em: EntityManager, events: StoredEvent[]) {
  const wanted = new Map(events.map(event => [hashKey(event), event]))
  const groups = await lookUp(em, [...wanted.values()])
  const fresh = [...wanted].filter(([key]) => !groups.has(key)).map(([, event]) => event)

  if (fresh.length === 0) return groups
  await makeGroups(em, fresh)

  // Whoever was faster made the group, and it is committed by now.
  return new Map([...groups, ...(await lookUp(em, fresh))])
}

async function lookUp(em: EntityManager, events: StoredEvent[]) {
  const rows = await query<{ project_id: string; hash: Buffer; group_id: string }>(
    em,
    `SELECT h.project_id, h.hash, h.group_id
     FROM unnest($1::bigint[], $2::bytea[]) AS wanted (project_id, hash)
     JOIN error_hashes h USING (project_id, hash)`,
    [events.map(({ projectId }) => projectId), byteaArray(events.map(({ hash }) => hash))]
  )

  return new Map(rows.map(row => [`${row.project_id} ${row.hash.toString('hex')}`, Number(row.group_id)]))
}

async function makeGroups(em: EntityManager, events: StoredEvent[]) {
  const columns = <T>(read: (event: StoredEvent) => T) => events.map(read)

  await query(
    em,
    `WITH fresh AS MATERIALIZED (
       SELECT nextval(pg_get_serial_sequence('error_groups', 'id')) AS id, f.*
       FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
         AS f (project_id, hash, name, description, actor, platform, level, seen_at)
     ), claimed AS (
       INSERT INTO error_hashes (project_id, hash, group_id, grouping_version)
       SELECT project_id, hash, id, $9 FROM fresh ORDER BY project_id, hash
       ON CONFLICT (project_id, hash) DO NOTHING
       RETURNING group_id
     )
     INSERT INTO error_groups (id, project_id, name, description, actor, platform, level, first_seen_at, last_seen_at)
     OVERRIDING SYSTEM VALUE
     SELECT id, project_id, name, description, actor, platform, level, seen_at, seen_at
     FROM fresh JOIN claimed ON group_id = id`,
    [
      columns(event => event.projectId),
      byteaArray(columns(event => event.hash)),
      columns(event => event.title.name),
      columns(event => event.title.description),
      columns(event => event.title.actor),
      columns(event => event.occurrence.platform ?? null),
      columns(event => event.occurrence.level),
      columns(event => event.occurrence.occurredAt.toISOString()),
      groupingVersion
    ]
  )
}

/** A hash means something only within its project. */
export function hashKey({ projectId, hash }: StoredEvent) {
  return `${projectId} ${hash.toString('hex')}`
}
