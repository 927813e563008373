import { BrokenBody, inflate, TooLarge } from '#lib/inflate.ts'
import { isUnavailable } from '#platform/problems.ts'
import { isFilterReason } from '../filters/filter-event.ts'
import type { ReceivedEnvelope } from '../jobs.ts'
import { eventOfCspReport } from './csp-report.ts'
import { type Envelope, EnvelopeCollector } from './envelope.ts'
import { maxEventBytes } from './envelope-limits.ts'
import { InvalidEnvelope } from './envelope-parser.ts'
import { maxPayloadBytes, parseItem } from './parse-item.ts'
import type { ItemContext, ParseOptions } from './parse-options.ts'
import { emptyBatch, type ParsedBatch } from './parsed-batch.ts'
import { readEnvelope } from './read-envelope.ts'

/** Parses one envelope. An invalid envelope or item is counted as dropped and affects no other. */
export async function parseEnvelope(job: ReceivedEnvelope, options: ParseOptions): Promise<ParsedBatch> {
  const batch = emptyBatch()

  try {
    await readJob(job, options, envelope => parseItems(batch, { ...options, job, envelope }))
  } catch (error) {
    if (isUnavailable(error)) throw error
    batch.dropped.push({ ...outcomeOf(job), category: 'envelope', reason: reasonOf(error) })
  }

  return batch
}

async function parseItems(batch: ParsedBatch, context: ItemContext) {
  const outcome = outcomeOf(context.job)
  let filter: string | undefined

  for (const [position, item] of context.envelope.items.entries()) {
    // Attachments belong to the event.
    const isFiltered = filter && item.type === 'attachment'
    const { category, reason } = isFiltered ? { category: 'attachment', reason: filter } : await parseItem(batch, item, position, context)

    if (isFilterReason(reason)) filter = reason
    if (reason) batch.dropped.push({ ...outcome, category, reason })
    // Events are counted when they are stored.
    else if (category !== 'error') batch.accepted.push({ ...outcome, category, reason: '' })
  }
}

function outcomeOf({ id, projectId, keyId, receivedAt }: ReceivedEnvelope) {
  return { envelopeId: id, projectId, keyId, day: receivedAt.slice(0, 10), items: 1 }
}

/** The same reasons as in intake. */
function reasonOf(error: unknown) {
  if (error instanceof TooLarge) return 'too_large'

  return error instanceof BrokenBody || error instanceof InvalidEnvelope ? 'invalid' : 'internal'
}

async function readJob(job: ReceivedEnvelope, { limits, limiter }: ParseOptions, use: (envelope: Envelope) => Promise<void>) {
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
