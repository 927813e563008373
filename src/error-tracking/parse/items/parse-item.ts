import { isAway } from '../../../platform/problems.ts'
import { maxEventBytes } from '../../ingest/envelope-limits.ts'
import type { CompiledRules } from '../../scrub/rules.ts'
import { scrub } from '../../scrub/scrub.ts'
import type { Envelope, EnvelopeItem } from '../envelope.ts'
import type { EnvelopeJob, ParseLimits, ResolveFrames } from '../parse-envelope.ts'
import { parseEvent } from '../parse-event.ts'
import type { ParsedBatch } from '../parsed-batch.ts'
import { maxAttachments, toAttachment } from './attachment.ts'
import { categoryOf } from './categories.ts'
import { parseClientReport } from './client-report.ts'
import { processEvent } from './event.ts'
import { parseFeedback } from './feedback.ts'
import type { ItemOrigin } from './item-origin.ts'
import { parseSession, parseSessionAggregates } from './session.ts'

/** All that is known when an item is read. */
export interface ItemContext {
  job: EnvelopeJob
  envelope: Envelope
  /** The envelope's bytes as they came. */
  body: Buffer
  limits: ParseLimits
  rules: CompiledRules
  resolve: ResolveFrames
  receivedAt: Date
  day: string
}

type Read = (
  findings: ParsedBatch,
  item: EnvelopeItem,
  origin: ItemOrigin,
  context: ItemContext
) => string | undefined | Promise<string | undefined>

/** By type of item: under what it is counted, and what takes it in; that returns why when it could not. */
const kinds: Record<string, { category: string; read: Read }> = {
  event: { category: 'error', read: keepEvent },
  session: { category: 'session', read: keepSession },
  sessions: { category: 'session', read: keepTallies },
  user_report: { category: 'feedback', read: keepFeedback },
  feedback: { category: 'feedback', read: keepFeedback },
  client_report: { category: 'client_report', read: keepLosses },
  attachment: { category: 'attachment', read: keepAttachment }
}

/** Each item is kept, or it is dropped and counted: one of the two, whatever it holds. */
export async function parseItem(findings: ParsedBatch, item: EnvelopeItem, position: number, context: ItemContext) {
  const kind = Object.hasOwn(kinds, item.type) ? kinds[item.type] : undefined

  if (!kind) return { category: categoryOf(item.type), reason: 'unsupported' }
  const { job, receivedAt, day } = context
  const origin = { projectId: job.projectId, envelopeId: job.id, position, receivedAt, day }

  try {
    return { category: kind.category, reason: await kind.read(findings, item, origin, context) }
  } catch (error) {
    // Not the item's fault: it is worked again.
    if (isAway(error)) throw error

    return { category: kind.category, reason: 'internal' }
  }
}

async function keepEvent(findings: ParsedBatch, item: EnvelopeItem, origin: ItemOrigin, context: ItemContext) {
  if (item.payload.length > maxEventBytes) return 'too_large'
  const { events, spikeEvents } = findings
  const event = await processEvent(item, origin, context, events.length + spikeEvents.length === 0)

  if (!event) return 'unreadable'
  if (!context.job.isInSpike) return void events.push(event)
  spikeEvents.push(event)

  return 'spike'
}

function keepSession(findings: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin) {
  const update = parseSession(parseEvent(payload) ?? {}, origin)

  if (!update) return 'invalid_session'
  findings.sessions.push(update)
}

function keepTallies(findings: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin) {
  const tallies = parseSessionAggregates(parseEvent(payload) ?? {}, origin)

  if (!tallies) return 'invalid_session'
  findings.sessionAggregates.push(...tallies.map(tally => ({ ...tally, envelopeId: origin.envelopeId })))
}

function keepFeedback(findings: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin, { rules }: ItemContext) {
  const feedback = parseFeedback(scrub(parseEvent(payload) ?? {}, rules).event, origin)

  if (!feedback) return 'invalid'
  findings.feedback.push(feedback)
}

function keepLosses(findings: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin) {
  const report = parseEvent(payload)

  if (!report) return 'invalid'
  findings.clientDiscards.push(...parseClientReport(report, origin).map(loss => ({ ...loss, envelopeId: origin.envelopeId })))
}

function keepAttachment(findings: ParsedBatch, item: EnvelopeItem, origin: ItemOrigin, { job, envelope, limits }: ItemContext) {
  if (job.isInSpike) return 'spike'
  if (item.payload.length > limits.attachment) return 'too_large'
  if (findings.attachments.length >= maxAttachments) return 'too_many'
  findings.attachments.push(toAttachment(item, envelope.header, origin))
}
