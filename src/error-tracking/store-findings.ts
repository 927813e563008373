import type { EntityManager } from '../platform/database.ts'
import { storeAttachments } from './items/attachment.ts'
import { addCounts, addKeeps } from './items/counts.ts'
import { storeFeedback } from './items/feedback.ts'
import type { Findings } from './items/findings.ts'
import { claimUncounted } from './items/marks.ts'
import { addSessionTallies, applySessions } from './items/session-store.ts'
import { keepPartition } from './partitions.ts'
import { storeEvents } from './store.ts'

/**
 * Writes a batch in one transaction of a few statements, each with its rows in the order of their
 * keys, so that two workers may wait for each other but never for ever.
 */
export async function storeFindings(em: EntityManager, findings: Findings) {
  try {
    return await em.transactional(em => storeAll(em, findings))
  } catch (error) {
    if (!isPartitionMissing(error)) throw error
    for (const day of new Set(findings.events.map(({ day }) => day))) await keepPartition(em, day)
    return em.transactional(em => storeAll(em, findings))
  }
}

async function storeAll(em: EntityManager, { events, sessions, tallies, feedback, attachments, losses, drops, keeps }: Findings) {
  await storeFeedback(em, feedback)
  await storeAttachments(em, attachments)
  const begun = await applySessions(em, sessions)
  const stored = await storeEvents(em, events, new Date())
  const dropped = [...drops, ...stored.duplicates]
  const uncounted = await claimUncounted(
    em,
    [...tallies, ...losses, ...dropped, ...keeps].map(({ envelopeId }) => envelopeId)
  )
  const isUncounted = ({ envelopeId }: { envelopeId: string }) => uncounted.has(envelopeId)

  await addSessionTallies(em, [...begun, ...tallies.filter(isUncounted)])
  await addCounts(em, 'error_losses', losses.filter(isUncounted))
  await addCounts(em, 'error_drops', dropped.filter(isUncounted))
  await addKeeps(em, [...stored.keeps, ...keeps.filter(isUncounted)])

  return stored.news
}

function isPartitionMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }

  return code === '23514' && Boolean(message?.includes('no partition'))
}
