import { sql } from 'kysely'
import { containing, escapeLike } from '#platform/database/filter.ts'

/** Searches within names and paths. Below three characters, which a trigram index cannot find, it compares whole names. */
export function matchesSearch(search: string | undefined, alias: string) {
  const text = search?.trim()
  const name = sql.ref(`${alias}.name`)
  const path = sql.ref(`${alias}.full_path`)

  if (!text) return undefined
  if (text.length >= 3) return sql`(${name} ILIKE ${containing(text)} OR ${path} ILIKE ${containing(text)})`
  const literal = escapeLike(text)

  return sql`(${name} ILIKE ${literal} OR ${path} ILIKE ${literal} OR ${path} ILIKE ${`%/${literal}`})`
}
