import { type EntityManager, query } from '#platform/database/database.ts'

/** Returns the envelopes that were not claimed before, so that a repeated job counts nothing twice. */
export async function claimIdempotencyKeys(em: EntityManager, envelopeIds: string[]) {
  if (envelopeIds.length === 0) return new Set<string>()
  const rows = await query<{ envelope_id: string }>(
    em,
    `INSERT INTO error_drop_marks (envelope_id) SELECT DISTINCT * FROM unnest($1::uuid[]) ORDER BY 1
     ON CONFLICT DO NOTHING RETURNING replace(envelope_id::text, '-', '') AS envelope_id`,
    [envelopeIds]
  )

  return new Set(rows.map(row => row.envelope_id))
}
