import type { EntityManager } from '../platform/database.ts'
import { type Findings, noFindings } from './items/findings.ts'
import { type EnvelopeJob, type Limits, open } from './open.ts'
import type { CompiledRules } from './scrub/rules.ts'
import { storeFindings } from './store-findings.ts'

export interface Circumstances {
  limits: Limits
  /** What a project wants kept out of its events. */
  rulesOf: (projectId: number) => Promise<CompiledRules> | CompiledRules
}

/**
 * Stores what is in a batch of envelopes and counts what could not be kept. The same batch again changes
 * nothing: an event is known by its id, everything else by its envelope's.
 */
export async function receive(em: EntityManager, jobs: EnvelopeJob[], circumstances: Circumstances) {
  const inSpike = jobs.filter(job => job.isInSpike)
  const news = await receiveAlike(
    em,
    jobs.filter(job => !job.isInSpike),
    circumstances
  )

  // What is only counted is known by its envelope alone, and thus goes by itself.
  return inSpike.length > 0 ? [...news, ...(await receiveAlike(em, inSpike, circumstances))] : news
}

async function receiveAlike(em: EntityManager, jobs: EnvelopeJob[], { limits, rulesOf }: Circumstances) {
  const opened: Findings[] = []

  // One after the other: a batch of bodies that are small as sent may be gigabytes when all lie there inflated.
  for (const job of jobs) opened.push(await open(job, limits, await rulesOf(job.projectId)))

  return storeFindings(em, jobs, merge(opened))
}

function merge(all: Findings[]) {
  const merged = noFindings()

  for (const kind of Object.keys(merged) as (keyof Findings)[]) merged[kind] = all.flatMap(findings => findings[kind] as never[])

  return merged
}
