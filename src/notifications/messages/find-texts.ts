import { sql } from 'kysely'
import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'

/** The comments that entries are about, by entry. */
export async function findTexts(em: EntityManager, entries: OutboxEntry[]) {
  const ids = entries.flatMap(({ data }) => data.noteId ?? [])
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('issue_notes')
    .where('id', '=', sql<number>`ANY (${ids}::bigint[])`)
    .select(['id', 'body'])
    .execute()
  const bodies = new Map(rows.map(({ id, body }) => [id, body]))

  return new Map(entries.map(({ id, data }) => [id, bodies.get(data.noteId ?? 0)]))
}
