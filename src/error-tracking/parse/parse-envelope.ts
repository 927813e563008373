import { BrokenBody, inflate, TooLarge } from '../../lib/inflate.ts'
import { isAway } from '../../platform/problems.ts'
import type { EnvelopeJob } from '../jobs.ts'
import { eventOfCspReport } from './csp-report.ts'
import { type Envelope, InvalidEnvelope, splitEnvelope } from './envelope.ts'
import { parseItem } from './items/parse-item.ts'
import type { ParseLimits, ParseOptions } from './parse-options.ts'
import { emptyBatch, type ParsedBatch } from './parsed-batch.ts'

/** Parses one envelope. An invalid envelope or item is counted as dropped and affects no other. */
export async function parseEnvelope(job: EnvelopeJob, options: ParseOptions): Promise<ParsedBatch> {
  const batch = emptyBatch()
  const outcome = { envelopeId: job.id, projectId: job.projectId, day: job.receivedAt.slice(0, 10), items: 1 }

  try {
    const context = { ...options, ...(await unpack(job, options.limits)), job }

    for (const [position, item] of context.envelope.items.entries()) {
      const { category, reason } = await parseItem(batch, item, position, context)

      if (reason) batch.dropped.push({ ...outcome, category, reason })
      // Events are counted when they are stored.
      else if (category !== 'error') batch.accepted.push({ ...outcome, category, reason: '' })
    }
  } catch (error) {
    if (isAway(error)) throw error
    batch.dropped.push({ ...outcome, category: 'envelope', reason: reasonOf(error) })
  }

  return batch
}

/** The same reasons as in intake. */
function reasonOf(error: unknown) {
  if (error instanceof TooLarge) return 'too_large'

  return error instanceof BrokenBody || error instanceof InvalidEnvelope ? 'invalid' : 'internal'
}

async function unpack(job: EnvelopeJob, limits: ParseLimits) {
  const body = Buffer.from(job.body, 'base64')
  const bytes = await inflate(body, job.encoding, limits.inflated)

  return job.kind ? { envelope: wrap(job, bytes), body: bytes } : { envelope: splitEnvelope(bytes), body }
}

/** Wraps the event of a store request, or a security report, in an envelope. */
function wrap(job: EnvelopeJob, bytes: Buffer): Envelope {
  if (job.kind === 'store') return { header: {}, items: [{ type: 'event', header: {}, payload: bytes }] }
  const event = eventOfCspReport(bytes, job)

  return { header: {}, items: [{ type: event ? 'event' : 'security', header: {}, payload: Buffer.from(JSON.stringify(event ?? {})) }] }
}
