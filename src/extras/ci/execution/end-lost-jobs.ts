import type { EntityManager } from '#platform/database/database.ts'
import { changeJobs } from '../pipelines/process-pipeline.ts'
import { findLostPipelines } from './job-store.ts'

const hourMs = 3600_000
/** A runner says something every few seconds. */
const silenceMs = hourMs
/** No runner takes the job. */
const pendingMs = 24 * hourMs
const perRun = 500

/** Fails jobs whose runner is gone, and those that no runner takes. Idempotent. */
export async function endLostJobs(fork: () => EntityManager, at: Date, signal: AbortSignal) {
  const isLost = ({ status, seenAt, queuedAt }: Dates) =>
    status === 'running' ? isBefore(seenAt, at, silenceMs) : status === 'pending' && isBefore(queuedAt, at, pendingMs)

  const since = (milliseconds: number) => new Date(at.getTime() - milliseconds)

  for (const pipelineId of await findLostPipelines(fork(), since(silenceMs), since(pendingMs), perRun)) {
    if (signal.aborted) return
    await changeJobs(fork(), pipelineId, at, jobs => {
      for (const job of jobs) if (isLost(job)) job.finish('failed', at, 'stuck_or_timeout_failure')
    })
  }
}

interface Dates {
  status: string
  seenAt?: Date | null
  queuedAt?: Date | null
}

function isBefore(date: Date | null | undefined, at: Date, milliseconds: number) {
  return date != null && at.getTime() - date.getTime() > milliseconds
}
