import { BrokenBody, inflate, TooLarge } from '#lib/inflate.ts'
import { isUnavailable } from '#platform/problems.ts'
import { isFilterReason } from '../filters/filter-event.ts'
import type { ReceivedEnvelope } from '../jobs.ts'
import { eventOfCspReport } from '../parse/csp-report.ts'
import { type Envelope, EnvelopeCollector, type EnvelopeItem } from '../parse/envelope.ts'
import { maxEventBytes } from '../parse/envelope-limits.ts'
import { InvalidEnvelope } from '../parse/envelope-parser.ts'
import { countOrZero } from '../parse/item-origin.ts'
import { readEnvelope } from '../parse/read-envelope.ts'
import type { ItemContext, PipelineOptions } from './context.ts'
import { maxPayloadBytes, processItem } from './item-types.ts'
import { emptyBatch, type ParsedBatch } from './parsed-batch.ts'

/** In one container. SDKs send a hundred. */
const maxItems = 10_000

/** Processes one envelope. An invalid envelope or item is counted as dropped and affects no other. */
export async function processEnvelope(job: ReceivedEnvelope, options: PipelineOptions): Promise<ParsedBatch> {
  const batch = emptyBatch()

  try {
    await readJob(job, options, envelope => processItems(batch, { ...options, job, envelope }))
  } catch (error) {
    if (isUnavailable(error)) throw error
    batch.dropped.push({ ...outcomeOf(job), category: 'envelope', reason: reasonOf(error) })
  }

  return batch
}

async function processItems(batch: ParsedBatch, context: ItemContext) {
  const outcome = outcomeOf(context.job)
  let filter: string | undefined

  for (const [position, item] of context.envelope.items.entries()) {
    // Attachments belong to the event.
    const isFiltered = filter && item.type === 'attachment'
    const { category, reason } = isFiltered ? { category: 'attachment', reason: filter } : await processItem(batch, item, position, context)

    if (isFilterReason(reason)) filter = reason
    if (reason) batch.dropped.push({ ...outcome, category, reason, items: itemsIn(item) })
    // Events are counted when they are stored.
    else if (category !== 'error') batch.accepted.push({ ...outcome, category, reason: '' })
  }
}

/** A container of logs or spans says how many it has. */
function itemsIn({ header }: EnvelopeItem) {
  return Math.min(countOrZero(header.item_count) || 1, maxItems)
}

function outcomeOf({ id, projectId, keyId, receivedAt }: ReceivedEnvelope) {
  return { envelopeId: id, projectId, keyId, day: receivedAt.slice(0, 10), items: 1 }
}

/** The same reasons as in intake. */
function reasonOf(error: unknown) {
  if (error instanceof TooLarge) return 'too_large'

  return error instanceof BrokenBody || error instanceof InvalidEnvelope ? 'invalid' : 'internal'
}

async function readJob(job: ReceivedEnvelope, { limits, limiter }: PipelineOptions, use: (envelope: Envelope) => Promise<void>) {
  const { encoding, body } = job

  if (job.kind) return use(wrap(job, inflate(body, encoding, Math.min(limits.inflated, maxEventBytes))))
  const collector = new EnvelopeCollector(type => maxPayloadBytes(type, limits))

  return readEnvelope({ body, encoding, maxInflated: limits.inflated }, limiter, collector, () => use(collector.envelope))
}

/** Wraps the event of a store request, or a security report, in an envelope. */
function wrap(job: ReceivedEnvelope, bytes: Buffer): Envelope {
  if (job.kind === 'store') return wrapItem('event', bytes)
  if (job.kind === 'transaction') return wrapItem('transaction', bytes)
  const event = eventOfCspReport(bytes, job)

  return wrapItem(event ? 'event' : 'security', Buffer.from(JSON.stringify(event ?? {})))
}

function wrapItem(type: string, payload: Buffer): Envelope {
  return { header: {}, items: [{ type, header: {}, size: payload.length, payload }], size: payload.length }
}
