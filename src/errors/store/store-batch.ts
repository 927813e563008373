import type { NewOutboxEntry } from '#outbox/outbox-entry.ts'
import { addRuleEntries } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { GroupChange, ReceivedEnvelope } from '../jobs.ts'
import { lockProjectsShared } from '../merge/lock-store.ts'
import type { ParsedBatch } from '../pipeline/parsed-batch.ts'
import { createPartition } from '../retention/partition-store.ts'
import { countEvents } from './count-events.ts'
import { dropDeletedProjects, projectIdsOf } from './drop-deleted-projects.ts'
import { clearFailures } from './failure-store.ts'
import { GroupDeleted } from './group-store.ts'
import { claimIdempotencyKeys } from './idempotency-store.ts'
import { storeAttachments, storeFeedback } from './item-store.ts'
import { addOutcomes, addStored } from './outcome-store.ts'
import { addSessionCounts, updateSessions } from './session-store.ts'
import { countSessionUsers } from './session-user-store.ts'
import { usersOf } from './session-users.ts'
import { EventConflict, storeEvents } from './store-events.ts'
import type { TagIndex } from './tag-index.ts'

const maxAttempts = 3

/**
 * Stores a batch in one transaction. Each statement orders its rows by key, so that two workers cannot deadlock.
 */
export async function storeBatch(
  em: EntityManager,
  jobs: ReceivedEnvelope[],
  parsed: ParsedBatch,
  tagIndex: TagIndex
): Promise<GroupChange[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { changes, newTags } = await em.transactional(em => storeAll(em, jobs, parsed, tagIndex))

      tagIndex.add(newTags)

      return changes
    } catch (error) {
      if (attempt === maxAttempts || !(isPartitionMissing(error) || isConflict(error))) throw error
      if (isPartitionMissing(error)) for (const day of new Set(parsed.events.map(({ day }) => day))) await createPartition(em, day)
    }
  }
}

async function storeAll(em: EntityManager, jobs: ReceivedEnvelope[], parsed: ParsedBatch, tagIndex: TagIndex) {
  const existing = await lockProjectsShared(em, projectIdsOf(parsed))
  const { events, spikeEvents, sessions, sessionAggregates, feedback, attachments, clientDiscards, dropped, accepted } =
    dropDeletedProjects(parsed, existing)
  const at = new Date()

  await storeFeedback(em, feedback)
  await storeAttachments(em, attachments)
  const sessionCounts = await updateSessions(em, sessions)
  const { stored, duplicates, changes, newTags } = await storeEvents(em, events, at, tagIndex)
  const allDropped = [...dropped, ...duplicates]
  const claimed = await claimIdempotencyKeys(
    em,
    [...sessionAggregates, ...clientDiscards, ...allDropped, ...accepted].map(({ envelopeId }) => envelopeId)
  )
  const isClaimed = ({ envelopeId }: { envelopeId: string }) => claimed.has(envelopeId)
  const countedChanges = await countEvents(em, spikeEvents, isClaimed, at)

  await countSessionUsers(em, usersOf([...sessions, ...sessionAggregates]))
  await addSessionCounts(em, [...sessionCounts, ...sessionAggregates.filter(isClaimed)])
  await addOutcomes(em, 'error_client_discards', clientDiscards.filter(isClaimed))
  await addOutcomes(em, 'error_dropped_counts', [...allDropped.filter(isClaimed), ...(await clearFailures(em, jobs))])
  await addStored(em, [...stored, ...accepted.filter(isClaimed)])

  await addRuleEntries(em, [...changes, ...countedChanges].map(toOutboxEntry))

  return { changes: [...changes, ...countedChanges], newTags }
}

/** The key makes a rerun a no-op. */
function toOutboxEntry({ kind, projectId, groupId, envelopeId }: GroupChange): NewOutboxEntry {
  return { kind: `error.${kind}`, projectId, subjectId: groupId, key: `error-${groupId}-${kind}-${envelopeId}` }
}

/** A concurrent transaction deleted a project or group, or stored one of the events. */
function isConflict(error: unknown) {
  const foreignKeyViolation = '23503'

  return error instanceof GroupDeleted || error instanceof EventConflict || (error as { code?: string }).code === foreignKeyViolation
}

function isPartitionMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }

  return code === '23514' && Boolean(message?.includes('no partition'))
}
