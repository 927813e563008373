import { type EntityManager, query } from '../../platform/database/database.ts'

/**
 * Of these envelopes, the ones whose counts were not added up yet; from here on they are. In the transaction that
 * adds them, so that a batch that is worked again adds nothing.
 */
export async function claimUncounted(em: EntityManager, envelopeIds: Iterable<string>) {
  const wanted = [...new Set(envelopeIds)]

  if (wanted.length === 0) return new Set<string>()
  const rows = await query<{ envelope_id: string }>(
    em,
    `INSERT INTO error_drop_marks (envelope_id) SELECT * FROM unnest($1::uuid[]) ORDER BY 1
     ON CONFLICT DO NOTHING RETURNING envelope_id`,
    [wanted]
  )

  return new Set(rows.map(row => row.envelope_id.replaceAll('-', '')))
}
