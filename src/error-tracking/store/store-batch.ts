import type { EntityManager } from '../../platform/database/database.ts'
import { countEvents } from '../events/count-events.ts'
import { holdProjects } from '../merge/lock-projects.ts'
import { storeAttachments } from '../parse/items/attachment.ts'
import { storeFeedback } from '../parse/items/feedback.ts'
import type { EnvelopeJob } from '../parse/parse-envelope.ts'
import type { ParsedBatch } from '../parse/parsed-batch.ts'
import { keepPartition } from '../retention/partitions.ts'
import { GroupGone } from './aggregate-events.ts'
import { projectsOf, withoutProjects } from './drop-deleted-projects.ts'
import { storeEvents } from './event-store.ts'
import { forgetFailures } from './failed-items.ts'
import { claimUncounted } from './idempotency-keys.ts'
import { addCounts, addKeeps } from './outcome-counts.ts'
import { addSessionTallies, applySessions } from './session-store.ts'

/**
 * Writes a batch in one transaction of a few statements, each with its rows in the order of their
 * keys, so that two workers may wait for each other but never for ever.
 */
export async function storeFindings(em: EntityManager, jobs: EnvelopeJob[], findings: ParsedBatch) {
  for (let tries = 1; ; tries++) {
    try {
      return await em.transactional(em => storeAll(em, jobs, findings))
    } catch (error) {
      if (tries === mostTries || !(isPartitionMissing(error) || isGone(error))) throw error
      if (isPartitionMissing(error)) for (const day of new Set(findings.events.map(({ day }) => day))) await keepPartition(em, day)
    }
  }
}

const mostTries = 3

async function storeAll(em: EntityManager, jobs: EnvelopeJob[], found: ParsedBatch) {
  const there = await holdProjects(em, projectsOf(found))
  const { events, spikeEvents, sessions, sessionAggregates, feedback, attachments, clientDiscards, dropped, accepted } = withoutProjects(
    found,
    there
  )
  const at = new Date()

  await storeFeedback(em, feedback)
  await storeAttachments(em, attachments)
  const begun = await applySessions(em, sessions)
  const stored = await storeEvents(em, events, at)
  const allDropped = [...dropped, ...stored.duplicates]
  const uncounted = await claimUncounted(
    em,
    [...sessionAggregates, ...clientDiscards, ...allDropped, ...accepted].map(({ envelopeId }) => envelopeId)
  )
  const isUncounted = ({ envelopeId }: { envelopeId: string }) => uncounted.has(envelopeId)
  const newsOfCounted = await countEvents(em, spikeEvents, isUncounted, at)
  const mended = await forgetFailures(
    em,
    jobs.map(({ id }) => id)
  )

  await addSessionTallies(em, [...begun, ...sessionAggregates.filter(isUncounted)])
  await addCounts(em, 'error_losses', clientDiscards.filter(isUncounted))
  await addCounts(em, 'error_drops', [...allDropped.filter(isUncounted), ...mended])
  await addKeeps(em, [...stored.keeps, ...accepted.filter(isUncounted)])

  return [...stored.news, ...newsOfCounted]
}

/** A project or a group went away after it was looked up: the next look will not find it. */
function isGone(error: unknown) {
  return error instanceof GroupGone || (error as { code?: string }).code === '23503'
}

function isPartitionMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }

  return code === '23514' && Boolean(message?.includes('no partition'))
}
