import { parseCheckIn } from '#monitors/check-in.ts'
import { isUnavailable } from '#platform/problems.ts'
import { parseFeedback } from '../feedback/parse-feedback.ts'
import { maxAttachments, toAttachment } from '../parse/attachment.ts'
import { categoryOf } from '../parse/categories.ts'
import { parseClientReport } from '../parse/client-report.ts'
import type { EnvelopeItem } from '../parse/envelope.ts'
import { maxEventBytes, maxItemBytes } from '../parse/envelope-limits.ts'
import type { ItemOrigin } from '../parse/item-origin.ts'
import { parseEvent } from '../parse/parse-event.ts'
import { parseSession, parseSessionAggregates } from '../parse/session.ts'
import { scrub } from '../scrub/scrub.ts'
import type { ItemContext, PayloadLimits } from './context.ts'
import { processEvent } from './event-stages.ts'
import type { ParsedBatch } from './parsed-batch.ts'

/** Adds an item to the batch, or returns the reason why it is dropped. */
type AddItem = (
  batch: ParsedBatch,
  item: EnvelopeItem,
  origin: ItemOrigin,
  context: ItemContext
) => string | undefined | Promise<string | undefined>

const itemTypes: Record<string, { category: string; add: AddItem }> = {
  event: { category: 'error', add: addEvent },
  session: { category: 'session', add: addSession },
  sessions: { category: 'session', add: addSessionAggregates },
  user_report: { category: 'feedback', add: addFeedback },
  feedback: { category: 'feedback', add: addFeedback },
  client_report: { category: 'client_report', add: addClientReport },
  attachment: { category: 'attachment', add: addAttachment },
  check_in: { category: 'monitor', add: addCheckIn }
}

/** Payloads up to this size are kept for `processItem`. */
export function maxPayloadBytes(type: string, limits: PayloadLimits) {
  if (type === 'attachment') return limits.attachment

  return Object.hasOwn(itemTypes, type) ? maxItemBytes(type) : 0
}

/** Adds an item to the batch. Returns its category, and a reason if it was dropped. */
export async function processItem(batch: ParsedBatch, item: EnvelopeItem, position: number, context: ItemContext) {
  const itemType = Object.hasOwn(itemTypes, item.type) ? itemTypes[item.type] : undefined

  if (!itemType) return { category: categoryOf(item.type), reason: 'unsupported' }
  const { category, add } = itemType
  const { id, projectId, keyId, receivedAt } = context.job
  const origin = { projectId, keyId, envelopeId: id, position, receivedAt: new Date(receivedAt), day: receivedAt.slice(0, 10) }

  try {
    return { category, reason: await add(batch, item, origin, context) }
  } catch (error) {
    // An outage fails the job, which is retried.
    if (isUnavailable(error)) throw error

    return { category, reason: 'internal' }
  }
}

async function addEvent(batch: ParsedBatch, item: EnvelopeItem, origin: ItemOrigin, context: ItemContext) {
  if (context.job.isOverQuota) return 'quota'
  if (item.size > maxEventBytes) return 'too_large'
  const { events, spikeEvents } = batch
  const event = await processEvent(item, origin, context, events.length + spikeEvents.length === 0)

  if (typeof event === 'string') return event
  if (!context.job.isInSpike) return void events.push(event)
  spikeEvents.push(event)

  return 'spike'
}

function addSession(batch: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin) {
  const update = parseSession(parseEvent(payload) ?? {}, origin)

  if (!update) return 'invalid_session'
  batch.sessions.push(update)
}

function addSessionAggregates(batch: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin) {
  const aggregates = parseSessionAggregates(parseEvent(payload) ?? {}, origin)

  if (!aggregates) return 'invalid_session'
  batch.sessionAggregates.push(...aggregates.map(aggregate => ({ ...aggregate, envelopeId: origin.envelopeId })))
}

function addFeedback(batch: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin, { rules }: ItemContext) {
  const feedback = parseFeedback(scrub(parseEvent(payload) ?? {}, rules).event, origin)

  if (!feedback) return 'invalid'
  batch.feedback.push(feedback)
}

function addClientReport(batch: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin) {
  const report = parseEvent(payload)

  if (!report) return 'invalid'
  batch.clientDiscards.push(...parseClientReport(report, origin).map(discard => ({ ...discard, envelopeId: origin.envelopeId })))
}

function addCheckIn(batch: ParsedBatch, { payload }: EnvelopeItem, origin: ItemOrigin) {
  const checkIn = parseCheckIn(parseEvent(payload) ?? {}, origin)

  if (!checkIn) return 'invalid'
  batch.checkIns.push(checkIn)
}

function addAttachment(batch: ParsedBatch, item: EnvelopeItem, origin: ItemOrigin, { job, envelope, limits }: ItemContext) {
  if (job.isOverQuota) return 'quota'
  if (job.isInSpike) return 'spike'
  if (item.size > limits.attachment) return 'too_large'
  if (batch.attachments.length >= maxAttachments) return 'too_many'
  batch.attachments.push(toAttachment(item, envelope.header, origin))
}
