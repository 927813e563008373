import { storeCheckIns } from '#monitors/check-in-store.ts'
import type { NewOutboxEntry } from '#outbox/outbox-entry.ts'
import { addRuleEntries } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { storeFeedback } from '../feedback/feedback-store.ts'
import { findGroupIds } from '../grouping/hash-store.ts'
import { findOrCreateGroups } from '../groups/find-or-create-groups.ts'
import type { GroupChange, ReceivedEnvelope } from '../jobs.ts'
import { lockProjectsShared } from '../merge/lock-store.ts'
import { assignOwners, type Ownerships } from '../ownership/assign-owners.ts'
import type { SessionAggregate, SessionUpdate } from '../parse/session.ts'
import type { ParsedBatch } from '../pipeline/parsed-batch.ts'
import { clearFailures } from './failure-store.ts'
import { addToGroups, findGroupChanges, GroupDeleted, toArrivals } from './group-store.ts'
import { claimIdempotencyKeys } from './idempotency-store.ts'
import { storeAttachments } from './item-store.ts'
import { addOutcomes, addStored, type Outcome } from './outcome-store.ts'
import { createPartition } from './partition-store.ts'
import { regressGroups } from './regress-groups.ts'
import { addSessionCounts, updateSessions } from './session-store.ts'
import { countSessionUsers, type SessionUser } from './session-user-store.ts'
import { EventConflict, type StoreContext, type StoredGroup, storeEvents, withGroups } from './store-events.ts'

const maxAttempts = 3

interface StoredBatch {
  changes: GroupChange[]
  /** Counts for the metrics; empty when the job had already committed. */
  stored: Pick<Outcome, 'category' | 'items'>[]
  dropped: Outcome[]
  /** The groups with new events, stored or only counted. */
  groups: StoredGroup[]
  hasMonitorAlerts: boolean
}

/**
 * Stores a batch in one transaction. Each statement orders its rows by key, so that two workers cannot deadlock.
 */
export async function storeBatch(
  em: EntityManager,
  jobs: ReceivedEnvelope[],
  parsed: ParsedBatch,
  context: StoreContext
): Promise<StoredBatch> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { newTags, ...stored } = await em.transactional(em => storeAll(em, jobs, parsed, context))

      context.tagIndex.add(newTags)

      return stored
    } catch (error) {
      if (attempt === maxAttempts || !(isPartitionMissing(error) || isConflict(error))) throw error
      if (isPartitionMissing(error)) for (const day of new Set(parsed.events.map(({ day }) => day))) await createPartition(em, day)
    }
  }
}

async function storeAll(em: EntityManager, jobs: ReceivedEnvelope[], parsed: ParsedBatch, { tagIndex, ownerships }: StoreContext) {
  const existing = await lockProjectsShared(em, projectIdsOf(parsed))
  const { events, spikeEvents, sessions, sessionAggregates, feedback, attachments, checkIns, clientDiscards, dropped, accepted } =
    dropDeletedProjects(parsed, existing)
  const at = new Date()

  await storeFeedback(em, feedback)
  await storeAttachments(em, attachments)
  const sessionCounts = await updateSessions(em, sessions)
  const { stored, duplicates, changes, newTags, groups } = await storeEvents(em, events, at, { tagIndex, ownerships })
  const allDropped = [...dropped, ...duplicates]
  const claimed = await claimIdempotencyKeys(
    em,
    [...sessionAggregates, ...checkIns, ...clientDiscards, ...allDropped, ...accepted].map(({ envelopeId }) => envelopeId)
  )
  const isClaimed = ({ envelopeId }: { envelopeId: string }) => claimed.has(envelopeId)
  const counted = await countEvents(em, spikeEvents, isClaimed, { at, ownerships })

  await countSessionUsers(em, usersOf([...sessions, ...sessionAggregates]))
  await addSessionCounts(em, [...sessionCounts, ...sessionAggregates.filter(isClaimed)])
  await addOutcomes(em, 'error_client_discards', clientDiscards.filter(isClaimed))
  const monitored = await storeCheckIns(em, checkIns.filter(isClaimed))
  const refused = new Set(monitored.refused.map(({ envelopeId }) => envelopeId))
  const isRefused = ({ category, envelopeId }: { category: string; envelopeId: string }) =>
    category === 'monitor' && refused.has(envelopeId)
  const freshlyAccepted = accepted.filter(isClaimed)
  const tooMany = freshlyAccepted.filter(isRefused).map(item => ({ ...item, reason: 'too_many' }))
  const freshlyDropped = [...allDropped.filter(isClaimed), ...tooMany]
  const freshlyStored = [...stored, ...freshlyAccepted.filter(item => !isRefused(item))]

  await addOutcomes(em, 'error_dropped_counts', [...freshlyDropped, ...(await clearFailures(em, jobs))])
  await addStored(em, freshlyStored)

  const allChanges = [...changes, ...counted.changes]

  await addRuleEntries(em, allChanges.map(toOutboxEntry))

  return {
    changes: allChanges,
    newTags,
    stored: freshlyStored,
    dropped: freshlyDropped,
    groups: [...groups, ...counted.groups],
    hasMonitorAlerts: monitored.hasAlerts
  }
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

/**
 * Counts events in their groups without storing them. Their ids are not stored: `isFresh` tells whether their envelope
 * is counted for the first time.
 */
async function countEvents(
  em: EntityManager,
  events: StoredEvent[],
  isFresh: (event: StoredEvent) => boolean,
  { at, ownerships }: { at: Date; ownerships: Ownerships }
) {
  if (events.length === 0) return { changes: [], groups: [] }
  const fresh = events.filter(isFresh)
  const groups = fresh.length > 0 ? await findOrCreateGroups(em, fresh) : new Map()
  const arrivals = fresh.length > 0 ? toArrivals(await addToGroups(em, fresh, groups)) : []

  if (fresh.length > 0) await regressGroups(em, arrivals, at)
  const changes = await findGroupChanges(em, events, await findGroupIds(em, events))

  await assignOwners(em, changes, withGroups(fresh, groups), ownerships)

  return { changes, groups: arrivals }
}

interface Owned {
  projectId: number
}

function projectIdsOf(parsed: ParsedBatch) {
  return Object.values(parsed).flatMap((items: Owned[]) => items.map(({ projectId }) => projectId))
}

/** Drops the items of deleted projects and counts them. */
function dropDeletedProjects(parsed: ParsedBatch, existing: Set<number>): ParsedBatch {
  const exists = ({ projectId }: Owned) => existing.has(projectId)
  const dropped = [
    ...parsed.events.map(({ envelopeId, projectId, keyId, day }) => ({ envelopeId, projectId, keyId, day, category: 'error', items: 1 })),
    ...parsed.accepted
  ].filter(item => !exists(item))
  const remaining = Object.fromEntries(Object.entries(parsed).map(([kind, items]: [string, Owned[]]) => [kind, items.filter(exists)]))

  return {
    ...(remaining as unknown as ParsedBatch),
    dropped: [...parsed.dropped, ...dropped.map(item => ({ ...item, reason: 'project_gone' }))]
  }
}

/** The users of sessions that name theirs. */
function usersOf(sessions: (SessionUpdate | SessionAggregate)[]): SessionUser[] {
  return sessions.flatMap(session => {
    const { projectId, release, environment, userHash } = session

    return userHash ? [{ projectId, release, environment, userHash, ...whenAndHow(session) }] : []
  })
}

function whenAndHow(session: SessionUpdate | SessionAggregate) {
  const isUpdate = 'sessionId' in session

  return {
    day: (isUpdate ? session.startedAt : session.hour).toISOString().slice(0, 10),
    isCrashed: isUpdate ? session.state === 'crashed' : session.crashed > 0
  }
}
