import { type EntityManager, query } from '#platform/database/database.ts'
import type { ReceivedEnvelope } from '../jobs.ts'
import { addOutcomes, type Outcome } from './outcome-store.ts'

interface FailureRow {
  project_id: number
  day: string
}

/** Counts the envelopes of permanently failed jobs as dropped. */
export async function countFailures(em: EntityManager, jobs: ReceivedEnvelope[]) {
  await em.transactional(async em => {
    const rows = await query<FailureRow>(
      em,
      `INSERT INTO error_failures (envelope_id, project_id, day)
       SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::date[]) ORDER BY 1 ON CONFLICT DO NOTHING RETURNING project_id, day`,
      [jobs.map(({ id }) => id), jobs.map(({ projectId }) => projectId), jobs.map(({ receivedAt }) => receivedAt.slice(0, 10))]
    )

    await addOutcomes(
      em,
      'error_dropped_counts',
      rows.map(row => toOutcome(row, 1))
    )
  })
}

/** Deletes failures of envelopes that were stored after all. Returns negative counts that correct the daily ones. */
export async function clearFailures(em: EntityManager, jobs: ReceivedEnvelope[]): Promise<Outcome[]> {
  const rows = await query<FailureRow>(em, 'DELETE FROM error_failures WHERE envelope_id = ANY ($1::uuid[]) RETURNING project_id, day', [
    jobs.map(({ id }) => id)
  ])

  return rows.map(row => toOutcome(row, -1))
}

function toOutcome({ project_id, day }: FailureRow, items: number): Outcome {
  return { projectId: project_id, day, category: 'envelope', reason: 'failed', keyId: 0, items }
}
