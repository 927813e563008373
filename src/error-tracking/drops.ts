import { type EntityManager, query } from '../platform/database.ts'

export interface Drop {
  /** Of the envelope it came in: one that is worked again is not counted again. */
  envelopeId: string
  projectId: number
  day: string
  category: string
  reason: string
}

/** Adds to the counts of what was not kept, by day and reason. */
export async function countDrops(em: EntityManager, drops: Drop[]) {
  const columns = <T>(read: (drop: Drop) => T) => drops.map(read)

  await query(
    em,
    `WITH dropped AS MATERIALIZED (
       SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::date[], $4::text[], $5::text[])
         AS d (envelope_id, project_id, day, category, reason)
     ), counted AS (
       INSERT INTO error_drop_marks (envelope_id) SELECT DISTINCT envelope_id FROM dropped ORDER BY 1
       ON CONFLICT DO NOTHING RETURNING envelope_id
     )
     INSERT INTO error_drops (project_id, day, category, reason, items)
     SELECT project_id, day, category, reason, count(*)
     FROM dropped JOIN counted USING (envelope_id)
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
     ON CONFLICT (project_id, day, category, reason) DO UPDATE SET items = error_drops.items + EXCLUDED.items`,
    [
      columns(drop => drop.envelopeId),
      columns(drop => drop.projectId),
      columns(drop => drop.day),
      columns(drop => drop.category),
      columns(drop => drop.reason)
    ]
  )
}

/** An envelope that is two days old is not worked again. */
export function removeOldDropMarks(em: EntityManager, at: Date) {
  return query(em, `DELETE FROM error_drop_marks WHERE counted_at < $1::timestamptz - interval '2 days'`, [at])
}
