import type { EntityManager } from '../platform/database.ts'
import { type Findings, noFindings } from './items/findings.ts'
import { type EnvelopeJob, type Limits, open, type Resolve } from './open.ts'
import { storeFindings } from './store-findings.ts'

/**
 * Stores what is in a batch of envelopes and counts what could not be kept. The same batch again changes
 * nothing: an event is known by its id, everything else by its envelope's.
 */
export async function receive(em: EntityManager, jobs: EnvelopeJob[], limits: Limits, resolve: Resolve) {
  const opened: Findings[] = []

  // One after the other: a batch of bodies that are small as sent may be gigabytes when all lie there inflated.
  for (const job of jobs) opened.push(await open(job, limits, resolve))

  return storeFindings(em, merge(opened))
}

function merge(all: Findings[]) {
  const merged = noFindings()

  for (const kind of Object.keys(merged) as (keyof Findings)[]) merged[kind] = all.flatMap(findings => findings[kind] as never[])

  return merged
}
