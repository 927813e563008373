import type { EntityManager } from '#platform/database/database.ts'
import type { InboundFilters } from '../filters/filter-event.ts'
import type { GroupChange, ReceivedEnvelope } from '../jobs.ts'
import type { Ownerships } from '../ownership/assign-owners.ts'
import type { ProjectOwners } from '../ownership/project-owners.ts'
import type { CompiledRules } from '../scrub/rules.ts'
import { type BatchWriter, mergeBatches, type StoreObserver } from '../store/batch-writer.ts'
import type { PipelineOptions } from './context.ts'
import type { ParsedBatch } from './parsed-batch.ts'
import { processEnvelope } from './process-envelope.ts'

export interface ProcessOptions extends Omit<PipelineOptions, 'rules' | 'filters'> {
  writer: BatchWriter
  observer?: StoreObserver
  rulesFor: (projectId: number) => Promise<CompiledRules> | CompiledRules
  filtersFor: (projectId: number) => Promise<InboundFilters | undefined> | undefined
  ownersFor?: (projectId: number) => Promise<ProjectOwners | undefined>
}

/** Limits the attachments in memory: those of a whole batch can take gigabytes. */
const maxAttachmentBytes = 8 << 20

/**
 * Stores the content of a batch of envelopes and counts what is dropped. Repeatable: events are identified
 * by their ids, everything else by its envelope's id.
 */
export async function processEnvelopes(em: EntityManager, jobs: ReceivedEnvelope[], options: ProcessOptions) {
  // In separate transactions: storing and counting lock groups in different statements, which could deadlock.
  const stored = jobs.filter(job => !job.isInSpike)
  const counted = jobs.filter(job => job.isInSpike)

  return [...(await processAll(em, stored, options)), ...(await processAll(em, counted, options))]
}

async function processAll(
  em: EntityManager,
  jobs: ReceivedEnvelope[],
  { writer, observer, rulesFor, filtersFor, ownersFor, ...options }: ProcessOptions
) {
  const changes: GroupChange[] = []
  const ownerships: Ownerships = new Map()
  let parsed: ParsedBatch[] = []
  let from = 0

  // Sequential, so that only one envelope is inflated at a time.
  for (const [n, job] of jobs.entries()) {
    const [rules, filters, owners] = [await rulesFor(job.projectId), await filtersFor(job.projectId), await ownersFor?.(job.projectId)]

    if (owners) ownerships.set(job.projectId, owners)
    parsed.push(await processEnvelope(job, { ...options, rules, filters }))
    if (n < jobs.length - 1 && attachmentBytes(parsed) < maxAttachmentBytes) continue
    changes.push(...(await writer.store(em, jobs.slice(from, n + 1), mergeBatches(parsed), { observer, ownerships })))
    parsed = []
    from = n + 1
  }

  return changes
}

function attachmentBytes(parsed: ParsedBatch[]) {
  return parsed.flatMap(({ attachments }) => attachments).reduce((sum, { content }) => sum + content.length, 0)
}
