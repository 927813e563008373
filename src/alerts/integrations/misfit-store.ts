import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'
import type { Misfit } from '../parse/parsed-alert.ts'

export interface StoredMisfit {
  integration_id: number
  payloads: number
  first_at: Date
  last_at: Date
  missing: string[]
  read_as: Misfit['readAs']
}

/** Adds to what is known of each integration's misfits. The last one is described. */
export async function storeMisfits(em: EntityManager, misfits: { integrationId: number; at: Date; misfit: Misfit }[]) {
  const byIntegration = [...Map.groupBy(misfits, ({ integrationId }) => integrationId)].sort(([one], [other]) => one - other)

  for (const [integrationId, found] of byIntegration) {
    const { at, misfit } = found.at(-1)!

    // A deleted integration has none.
    await query(
      em,
      `INSERT INTO alert_misfits (integration_id, payloads, first_at, last_at, missing, read_as)
       SELECT id, $2, $3, $4, $5, $6 FROM alert_integrations WHERE id = $1
       ON CONFLICT (integration_id) DO UPDATE SET payloads = alert_misfits.payloads + EXCLUDED.payloads, last_at = EXCLUDED.last_at,
         missing = EXCLUDED.missing, read_as = EXCLUDED.read_as`,
      [integrationId, found.length, found[0]!.at, at, misfit.missing, misfit.readAs]
    )
  }
}

export async function findMisfits(em: EntityManager, integrationIds: number[]) {
  const { rows } = await sql<StoredMisfit>`
    SELECT * FROM alert_misfits WHERE integration_id = ANY (${integrationIds}::bigint[])`.execute(em.getKysely())

  return new Map(rows.map(row => [row.integration_id, row]))
}

export async function forgetMisfits(em: EntityManager, integrationId: number) {
  await sql`DELETE FROM alert_misfits WHERE integration_id = ${integrationId}`.execute(em.getKysely())
}
