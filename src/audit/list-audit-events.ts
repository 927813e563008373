import { sql } from 'kysely'
import { toTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import type { JsonRow } from '#platform/database/json-row.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import type { AuditedType } from './audit-event.ts'

export type AuditEventRow = JsonRow<Tables['audit_events']>

/** One entity, all entities of a type, or everything. */
export interface AuditScope {
  entityType?: AuditedType
  entityId?: number
}

export interface AuditFilter extends AuditScope {
  id?: number
  name?: string | undefined
  /** Username of who did it, also if the account is gone. */
  author?: string | undefined
  /** Full path of a project or group, or username: what the event concerns, also if it is gone. */
  path?: string | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
  sort?: 'asc' | 'desc'
}

/** The ghost user when the author was deleted; the details still name the author. */
const authorId = sql`coalesce(
  (SELECT u.id FROM users u WHERE u.id = e.author_id),
  (SELECT u.id FROM users u WHERE u.kind = 'ghost' AND e.author_id IS NOT NULL))`

export function listAuditEvents(
  em: EntityManager,
  { entityType, entityId, id, name, author, path, sort = 'desc', ...filter }: AuditFilter
) {
  const createdAfter = toTime(filter.createdAfter)
  const createdBefore = toTime(filter.createdBefore)
  const events = em
    .getKysely<Tables>()
    .selectFrom('audit_events as e')
    .where(
      allOf(
        entityType && sql`e.entity_type = ${entityType}`,
        entityId !== undefined && sql`e.entity_id = ${entityId}`,
        id !== undefined && sql`e.id = ${id}`,
        name && sql`e.name = ${name}`,
        author && sql`e.details ->> 'author_username' = ${author}`,
        path && sql`e.details ->> 'entity_path' = ${path}`,
        createdAfter && sql`e.created_at >= ${createdAfter}`,
        createdBefore && sql`e.created_at <= ${createdBefore}`
      )
    )

  return selectList(em, {
    from: events,
    load: page => selectAs(page, sql<AuditEventRow>`to_jsonb(e) || jsonb_build_object('author_id', ${authorId})`),
    keys: [{ sql: 'e.id', type: 'bigint', of: (event: AuditEventRow) => event.id, sort }]
  })
}
