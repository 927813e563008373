import type { EntityManager } from '../platform/database/database.ts'
import { type EnvelopeJob, type ParseOptions, parseEnvelope } from './parse/parse-envelope.ts'
import type { ParsedBatch } from './parse/parsed-batch.ts'
import type { CompiledRules } from './scrub/rules.ts'
import { mergeFindings, storeTogether } from './store/batch-writer.ts'
import type { News } from './store/event-store.ts'

export interface ReceiveOptions extends Omit<ParseOptions, 'rules'> {
  /** What a project wants kept out of its events. */
  rulesFor: (projectId: number) => Promise<CompiledRules> | CompiledRules
}

/**
 * Bytes of files that a batch holds at a time, beside those of others: each file within its bounds, a whole batch of them is
 * gigabytes once inflated.
 */
const mostHeld = 8 << 20

/**
 * Stores what is in a batch of envelopes and counts what could not be kept. The same batch again changes
 * nothing: an event is known by its id, everything else by its envelope's.
 */
export async function receive(em: EntityManager, jobs: EnvelopeJob[], circumstances: ReceiveOptions) {
  // What is only counted is known by its envelope alone, and thus goes by itself.
  const calm = jobs.filter(job => !job.isInSpike)
  const inSpike = jobs.filter(job => job.isInSpike)

  return [...(await receiveAlike(em, calm, circumstances)), ...(await receiveAlike(em, inSpike, circumstances))]
}

async function receiveAlike(em: EntityManager, jobs: EnvelopeJob[], { rulesFor: rulesOf, ...means }: ReceiveOptions) {
  const news: News[] = []
  let opened: ParsedBatch[] = []
  let from = 0

  // One after the other, so that never two lie there inflated.
  for (const [n, job] of jobs.entries()) {
    opened.push(await parseEnvelope(job, { ...means, rules: await rulesOf(job.projectId) }))
    if (n < jobs.length - 1 && bytesOf(opened) < mostHeld) continue
    news.push(...(await storeTogether(em, jobs.slice(from, n + 1), mergeFindings(opened))))
    opened = []
    from = n + 1
  }

  return news
}

function bytesOf(opened: ParsedBatch[]) {
  return opened.reduce((sum, { attachments }) => attachments.reduce((sum, { content }) => sum + content.length, sum), 0)
}
