import type { CachedKey } from './authenticate-key.ts'
import { rateLimited } from './ingest-error.ts'
import type { Ledger } from './outcome-counters.ts'

/** Checked before the body is read, so that a sender over its quota costs next to nothing. */
export function checkQuotas(ledger: Ledger, key: CachedKey) {
  for (const { subject, perMinute, holder, scope } of quotasOf(key)) check(ledger.waitFor(subject, perMinute), perMinute, holder, scope)
}

/** Takes events out of every quota of a key, or throws and takes none. Call the result when they could not be enqueued. */
export function claimQuotas(ledger: Ledger, key: CachedKey, events: number) {
  const claimedAt = Date.now()
  const quotas = quotasOf(key)

  for (const { subject, perMinute, holder, scope } of quotas) check(ledger.waitFor(subject, perMinute, events), perMinute, holder, scope)
  const subjects = new Set(quotas.map(({ subject }) => subject))

  // Spike protection reads the project's count, too.
  if (key.spikeThreshold !== undefined) subjects.add(projectOf(key))
  for (const subject of subjects) ledger.use(subject, events)

  return () => {
    for (const subject of subjects) ledger.giveBack(subject, events, claimedAt)
  }
}

function quotasOf(key: CachedKey) {
  const quotas: { subject: string; perMinute: number; holder: string; scope: string }[] = []

  if (key.quota !== undefined) quotas.push({ subject: `key ${key.id}`, perMinute: key.quota, holder: 'client key', scope: 'key:quota' })
  if (key.projectQuota !== undefined)
    quotas.push({ subject: projectOf(key), perMinute: key.projectQuota, holder: 'project', scope: 'project:quota' })

  return quotas
}

function check(wait: number | undefined, perMinute: number, holder: string, scope: string) {
  if (wait) throw rateLimited(`This ${holder} may send ${perMinute} events a minute.`, wait, scope)
}

function projectOf({ projectId }: CachedKey) {
  return `project ${projectId}`
}
