import type { EntityManager } from '#platform/database/database.ts'
import { isUnavailable } from '#platform/problems.ts'
import { weightOf } from '#platform/queue/job.ts'
import { type GroupChange, type ReceivedEnvelope, receiveEnvelopes } from '../jobs.ts'
import type { Ownerships } from '../ownership/assign-owners.ts'
import { emptyBatch, type ParsedBatch } from '../pipeline/parsed-batch.ts'
import { storeBatch } from './store-batch.ts'
import type { StoredGroup } from './store-events.ts'
import { TagIndex } from './tag-index.ts'

/** Hears what was committed. */
export interface StoreObserver {
  received: (receivedAt: string) => void
  stored: (category: string, items: number) => void
  dropped: (reason: string, items: number) => void
  /** Groups that have new events. */
  grew?: (groups: StoredGroup[]) => void
  /** A monitor failed or recovered. */
  monitorChanged?: () => void
}

interface StoreOptions {
  observer?: StoreObserver | undefined
  ownerships?: Ownerships
}

interface Batch extends StoreOptions {
  em: EntityManager
  jobs: ReceivedEnvelope[]
  parsed: ParsedBatch
  events: number
  resolve: (changes: GroupChange[]) => void
  reject: (error: unknown) => void
}

/** Limits how long a transaction locks the rows of its groups. */
const maxEvents = 400

/**
 * Stores batches, one transaction at a time. Batches that arrive while a transaction runs share the next one:
 * a transaction of several batches costs hardly more than one of a single batch.
 */
export class BatchWriter {
  #pending: Batch[] = []
  #isRunning = false
  #tagIndex = new TagIndex()

  store(em: EntityManager, jobs: ReceivedEnvelope[], parsed: ParsedBatch, options: StoreOptions = {}) {
    const events = weightOf(receiveEnvelopes, jobs)

    return new Promise<GroupChange[]>((resolve, reject) => {
      this.#pending.push({ em, jobs, parsed, events, ...options, resolve, reject })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run() {
    this.#isRunning = true
    while (this.#pending.length > 0) await storeBatches(this.#dequeue(), this.#tagIndex)
    this.#isRunning = false
  }

  /** The oldest batch and the smallest ones: those of small projects never wait for several transactions of a flood. */
  #dequeue() {
    const [oldest, ...newer] = this.#pending as [Batch, ...Batch[]]
    const batches = [oldest]
    let events = oldest.events

    for (const batch of newer.toSorted((a, b) => a.events - b.events)) {
      events += batch.events
      if (events > maxEvents) break
      batches.push(batch)
    }
    this.#pending = this.#pending.filter(batch => !batches.includes(batch))

    return batches
  }
}

/** If a shared transaction fails, each batch is retried in its own. */
async function storeBatches(batches: Batch[], tagIndex: TagIndex) {
  const jobs = batches.flatMap(({ jobs }) => jobs)

  try {
    const parsed = mergeBatches(batches.map(({ parsed }) => parsed))
    const ownerships: Ownerships = new Map(batches.flatMap(batch => [...(batch.ownerships ?? [])]))
    const { changes, ...outcomes } = await storeBatch(batches[0]!.em, jobs, parsed, { tagIndex, ownerships })

    observe(batches[0]!.observer, jobs, outcomes)
    for (const { jobs, resolve } of batches) resolve(changes.filter(({ envelopeId }) => jobs.some(({ id }) => id === envelopeId)))
  } catch (error) {
    if (batches.length === 1 || isUnavailable(error)) for (const { reject } of batches) reject(error)
    else for (const batch of batches) await storeBatches([batch], tagIndex)
  }
}

function observe(
  observer: StoreObserver | undefined,
  jobs: ReceivedEnvelope[],
  { stored, dropped, groups, hasMonitorAlerts }: Omit<Awaited<ReturnType<typeof storeBatch>>, 'changes'>
) {
  for (const { receivedAt } of jobs) observer?.received(receivedAt)
  for (const { category, items } of stored) observer?.stored(category, items)
  for (const { reason, items } of dropped) observer?.dropped(reason, items)
  if (groups.length > 0) observer?.grew?.(groups)
  if (hasMonitorAlerts) observer?.monitorChanged?.()
}

export function mergeBatches(batches: ParsedBatch[]) {
  const merged = emptyBatch()

  for (const kind of Object.keys(merged) as (keyof ParsedBatch)[]) merged[kind] = batches.flatMap(parsed => parsed[kind] as never[])

  return merged
}
