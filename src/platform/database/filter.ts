import { type Expression, type SqlBool, sql } from 'kysely'
import type { EntityManager } from './database.ts'

type Condition = Expression<unknown> | undefined | null | false | '' | 0

/** Joins conditions with AND. Values that are not conditions are skipped, so `filter.x && sql...` adds one only when given. */
export function allOf(...conditions: Condition[]) {
  const given = conditions.filter(condition => condition !== undefined && typeof condition === 'object' && condition !== null)

  return given.length > 0 ? sql<SqlBool>`(${sql.join(given, sql` AND `)})` : sql<SqlBool>`true`
}

/** A LIKE pattern for values that contain the text. */
export function containing(text: string) {
  return `%${escapeLike(text)}%`
}

export function escapeLike(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Counts the rows of a query, but no more than `max` of them. */
export async function countUpTo(em: EntityManager, query: { limit: (max: number) => Expression<unknown> }, max: number) {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM (${query.limit(max)}) AS counted`.execute(em.getKysely())

  return rows[0]!.count
}
