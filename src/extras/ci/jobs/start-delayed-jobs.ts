import type { EntityManager } from '#platform/database/database.ts'
import { changeJobs } from '../pipelines/process-pipeline.ts'
import { Job } from './job.ts'

const perRun = 500

/** Starts the delayed jobs whose time has come. Idempotent. */
export async function startDelayedJobs(fork: () => EntityManager, at: Date, signal: AbortSignal) {
  const due = await fork().find(Job, { status: 'scheduled', scheduledAt: { $lte: at } }, { orderBy: { id: 'asc' }, limit: perRun })

  for (const pipelineId of new Set(due.map(({ pipeline }) => pipeline.id))) {
    if (signal.aborted) return
    await changeJobs(fork(), pipelineId, at, jobs => {
      for (const job of jobs) if (job.status === 'scheduled' && job.scheduledAt! <= at) job.enqueue(at)
    })
  }
}
