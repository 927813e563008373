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

/** What quotas limit. SDKs go on sending sessions, feedback, attachments and client reports. */
const categories = 'default;error;security'

/** The refusal of events that a quota has no room for. */
export function quotaRefusal(counters: IngestCounters, key: CachedKey, events = 1) {
  const exceeded = quotasOf(key).find(({ subject, perMinute }) => counters.usage(subject) + events > perMinute)

  if (!exceeded) return undefined
  const { holder, perMinute, scope } = exceeded

  return rateLimited(`This ${holder} may send ${perMinute} events per minute.`, secondsToNextMinute(), scope, categories)
}

/** Throws when a quota is used up. */
export function checkQuotas(counters: IngestCounters, key: CachedKey, events = 1) {
  const refusal = quotaRefusal(counters, key, events)

  if (refusal) throw refusal
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
