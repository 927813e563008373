import { BrokenBody, inflate, TooLarge } from '../../lib/inflate.ts'
import { isAway } from '../../platform/problems.ts'
import type { ItemOf } from '../../platform/queue/job.ts'
import type { receiveEnvelopes } from '../jobs.ts'
import type { CompiledRules } from '../scrub/rules.ts'
import { eventFromReport } from './csp-report.ts'
import { type Envelope, InvalidEnvelope, splitEnvelope } from './envelope.ts'
import { type ItemContext, parseItem } from './items/parse-item.ts'
import { emptyBatch, type ParsedBatch } from './parsed-batch.ts'

export type EnvelopeJob = ItemOf<typeof receiveEnvelopes>

export interface ParseLimits {
  /** Most bytes of one envelope once inflated. */
  inflated: number
  /** Most bytes of one file that is kept. */
  attachment: number
}

/** An event with the frames of built code as they were before the build; the very same when nothing is known of that. */
export type ResolveFrames = (projectId: number, event: Record<string, unknown>) => Promise<Record<string, unknown>>

export interface ParseOptions {
  limits: ParseLimits
  /** What the project wants kept out of its events. */
  rules: CompiledRules
  resolve: ResolveFrames
}

/** What one envelope turns into. Whatever is in it, it stops nothing but itself. */
export async function parseEnvelope(job: EnvelopeJob, { limits, rules, resolve }: ParseOptions): Promise<ParsedBatch> {
  const findings = emptyBatch()
  const counted = { envelopeId: job.id, projectId: job.projectId, day: job.receivedAt.slice(0, 10), items: 1 }

  try {
    const { envelope, body } = await unpack(job, limits)
    const context: ItemContext = { job, envelope, body, limits, rules, resolve, receivedAt: new Date(job.receivedAt), day: counted.day }

    for (const [position, item] of envelope.items.entries()) {
      const { category, reason } = await parseItem(findings, item, position, context)

      if (reason) findings.dropped.push({ ...counted, category, reason })
      else if (category !== 'error') findings.accepted.push({ ...counted, category, reason: '' })
    }
  } catch (error) {
    if (isAway(error)) throw error
    findings.dropped.push({ ...counted, category: 'envelope', reason: whyNot(error) })
  }

  return findings
}

/** In the words that the door has for the same. */
function whyNot(error: unknown) {
  if (error instanceof TooLarge) return 'too_large'

  return error instanceof BrokenBody || error instanceof InvalidEnvelope ? 'invalid' : 'internal'
}

async function unpack(job: EnvelopeJob, limits: ParseLimits) {
  const body = Buffer.from(job.body, 'base64')
  const bytes = await inflate(body, job.encoding, limits.inflated)

  return job.kind ? { envelope: wrap(job, bytes), body: bytes } : { envelope: splitEnvelope(bytes), body }
}

/** A bare event, or a browser's report, as the envelope it would have come in. */
function wrap(job: EnvelopeJob, bytes: Buffer): Envelope {
  if (job.kind === 'store') return { header: {}, items: [{ type: 'event', header: {}, payload: bytes }] }
  const event = eventFromReport(bytes, job)

  return { header: {}, items: [{ type: event ? 'event' : 'security', header: {}, payload: Buffer.from(JSON.stringify(event ?? {})) }] }
}
