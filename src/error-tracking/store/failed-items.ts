import { type EntityManager, query } from '../../platform/database/database.ts'
import type { EnvelopeJob } from '../parse/parse-envelope.ts'
import { addCounts, type Count } from './outcome-counts.ts'

const failure = { category: 'envelope', reason: 'failed' }

/** Envelopes that could not be stored for good are dropped, until somebody has them tried again with more luck. */
export async function countFailures(em: EntityManager, jobs: EnvelopeJob[]) {
  await em.transactional(async em => {
    const rows = await query<FailureRow>(
      em,
      `INSERT INTO error_failures (envelope_id, project_id, day)
       SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::date[]) ORDER BY 1 ON CONFLICT DO NOTHING RETURNING project_id, day::text`,
      [jobs.map(({ id }) => id), jobs.map(({ projectId }) => projectId), jobs.map(({ receivedAt }) => receivedAt.slice(0, 10))]
    )

    await addCounts(em, 'error_drops', rows.map(toCount))
  })
}

/** What is stored after all was not dropped. */
export async function forgetFailures(em: EntityManager, envelopeIds: string[]): Promise<Count[]> {
  const rows = await query<FailureRow>(
    em,
    'DELETE FROM error_failures WHERE envelope_id = ANY ($1::uuid[]) RETURNING project_id, day::text',
    [envelopeIds]
  )

  return rows.map(row => ({ ...toCount(row), items: -1 }))
}

interface FailureRow {
  project_id: string
  day: string
}

function toCount({ project_id, day }: FailureRow): Count {
  return { ...failure, projectId: Number(project_id), day, items: 1 }
}
