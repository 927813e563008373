import type { CachedKey } from './authenticate-key.ts'
import type { IngestCounters } from './ingest-counters.ts'
import { rateLimited } from './ingest-error.ts'

interface Quota {
  subject: string
  perMinute: number
  holder: string
  /** Scope and reason in X-Sentry-Rate-Limits. */
  scope: string
}

/** Throws when a quota is used up. Runs before the body is read, so that a sender over its quota costs next to nothing. */
export function checkQuotas(counters: IngestCounters, key: CachedKey, events = 1) {
  for (const { subject, perMinute, holder, scope } of quotasOf(key)) {
    if (counters.usage(subject) + events <= perMinute) continue

    throw rateLimited(`This ${holder} may send ${perMinute} events a minute.`, secondsToNextMinute(), scope)
  }
}

/** Counts events against every quota of a key, or throws and counts none. Returns the function that refunds them. */
export function claimQuotas(counters: IngestCounters, key: CachedKey, events: number) {
  const claimedAt = Date.now()

  checkQuotas(counters, key, events)
  const subjects = new Set(quotasOf(key).map(({ subject }) => subject))

  // Spike protection reads the project's usage, too.
  if (key.spikeThreshold !== undefined) subjects.add(projectSubject(key.projectId))
  for (const subject of subjects) counters.countUsage(subject, events)

  return () => {
    for (const subject of subjects) counters.refundUsage(subject, events, claimedAt)
  }
}

/** Whether the project has sent more events in this minute than its spike protection stores. */
export function isInSpike(counters: IngestCounters, { projectId, spikeThreshold }: CachedKey) {
  return spikeThreshold !== undefined && counters.usage(projectSubject(projectId)) >= spikeThreshold
}

function quotasOf({ id, quota, projectId, projectQuota }: CachedKey) {
  const quotas: Quota[] = []

  if (quota !== undefined) quotas.push({ subject: `key ${id}`, perMinute: quota, holder: 'client key', scope: 'key:quota' })
  if (projectQuota !== undefined)
    quotas.push({ subject: projectSubject(projectId), perMinute: projectQuota, holder: 'project', scope: 'project:quota' })

  return quotas
}

function secondsToNextMinute() {
  return Math.ceil(60 - ((Date.now() / 1000) % 60))
}

function projectSubject(projectId: number) {
  return `project ${projectId}`
}
