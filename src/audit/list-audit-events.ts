import { readTime } from '../http/parameters/time.ts'
import { Conditions } from '../platform/database/conditions.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import { AuditEvent, type AuditedType } from './audit-event.ts'

/** Whose events: one entity's, those of a type, or all. */
export interface Scope {
  entityType?: AuditedType
  entityId?: number
}

export interface AuditFilter extends Scope {
  createdAfter?: string
  createdBefore?: string
  /** Where the page before ended. */
  before?: number
  sort?: 'asc' | 'desc'
}

export function auditEvents(em: EntityManager, filter: AuditFilter) {
  const { sql, values } = new Conditions()
    .add('entity_type = ?', filter.entityType)
    .add('entity_id = ?', filter.entityId)
    .add('created_at >= ?', readTime('created_after', filter.createdAfter))
    .add('created_at <= ?', readTime('created_before', filter.createdBefore))
    .add('id < ?', filter.before)

  return {
    async list(limit: number, offset = 0) {
      const paging = `ORDER BY id ${filter.sort ?? 'desc'} LIMIT ${limit} OFFSET ${offset}`
      const rows = await query(em, `SELECT * FROM audit_events WHERE ${sql} ${paging}`, values)

      return rows.map(row => em.map(AuditEvent, row))
    },
    async count(most: number) {
      const [row] = await query<{ count: string }>(
        em,
        `SELECT count(*) FROM (SELECT FROM audit_events WHERE ${sql} LIMIT ${most}) AS counted`,
        values
      )

      return Number(row!.count)
    }
  }
}
