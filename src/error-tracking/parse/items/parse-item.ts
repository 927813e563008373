import { isAway } from '../../../platform/problems.ts'
import { readEvent } from '../../events/read-event.ts'
import { largestEvent } from '../../ingest/envelope-limits.ts'
import type { CompiledRules } from '../../scrub/rules.ts'
import { scrub } from '../../scrub/scrub.ts'
import type { Envelope, EnvelopeItem } from '../envelope.ts'
import type { EnvelopeJob, Limits, Resolve } from '../parse-envelope.ts'
import { parseEvent } from '../parse-event.ts'
import type { Findings } from '../parsed-batch.ts'
import { mostAttachments, readAttachment } from './attachment.ts'
import { nameCategory } from './categories.ts'
import { readClientReport } from './client-report.ts'
import { readFeedback } from './feedback.ts'
import type { Origin } from './item-origin.ts'
import { readSession, readSessionTallies } from './session.ts'

/** All that is known when an item is read. */
export interface Context {
  job: EnvelopeJob
  envelope: Envelope
  /** The envelope's bytes as they came. */
  body: Buffer
  limits: Limits
  rules: CompiledRules
  resolve: Resolve
  receivedAt: Date
  day: string
}

type Read = (findings: Findings, item: EnvelopeItem, origin: Origin, context: Context) => string | undefined | Promise<string | undefined>

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
export async function readItem(findings: Findings, item: EnvelopeItem, position: number, context: Context) {
  const kind = Object.hasOwn(kinds, item.type) ? kinds[item.type] : undefined

  if (!kind) return { category: nameCategory(item.type), reason: 'unsupported' }
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

async function keepEvent(findings: Findings, item: EnvelopeItem, origin: Origin, context: Context) {
  if (item.payload.length > largestEvent) return 'too_large'
  const { events, counted } = findings
  const event = await readEvent(item, origin, context, events.length + counted.length === 0)

  if (!event) return 'unreadable'
  if (!context.job.isInSpike) return void events.push(event)
  counted.push(event)

  return 'spike'
}

function keepSession(findings: Findings, { payload }: EnvelopeItem, origin: Origin) {
  const update = readSession(parseEvent(payload) ?? {}, origin)

  if (!update) return 'invalid_session'
  findings.sessions.push(update)
}

function keepTallies(findings: Findings, { payload }: EnvelopeItem, origin: Origin) {
  const tallies = readSessionTallies(parseEvent(payload) ?? {}, origin)

  if (!tallies) return 'invalid_session'
  findings.tallies.push(...tallies.map(tally => ({ ...tally, envelopeId: origin.envelopeId })))
}

function keepFeedback(findings: Findings, { payload }: EnvelopeItem, origin: Origin, { rules }: Context) {
  const feedback = readFeedback(scrub(parseEvent(payload) ?? {}, rules).event, origin)

  if (!feedback) return 'invalid'
  findings.feedback.push(feedback)
}

function keepLosses(findings: Findings, { payload }: EnvelopeItem, origin: Origin) {
  const report = parseEvent(payload)

  if (!report) return 'invalid'
  findings.losses.push(...readClientReport(report, origin).map(loss => ({ ...loss, envelopeId: origin.envelopeId })))
}

function keepAttachment(findings: Findings, item: EnvelopeItem, origin: Origin, { job, envelope, limits }: Context) {
  if (job.isInSpike) return 'spike'
  if (item.payload.length > limits.attachment) return 'too_large'
  if (findings.attachments.length >= mostAttachments) return 'too_many'
  findings.attachments.push(readAttachment(item, envelope.header, origin))
}
