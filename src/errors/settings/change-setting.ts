import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Project } from '#projects/project.ts'
import { ErrorSetting } from './error-setting.ts'
import { linkTracker, type TrackerChanges } from './link-tracker.ts'
import { findPatternProblem } from './source-pattern.ts'

export interface SettingValues extends Omit<TrackerChanges, 'integrated'> {
  integrated?: boolean
  events_per_minute?: number | null
  spike_protection?: boolean
  scrubbing?: boolean
  scrubbed_keys?: string[]
  safe_keys?: string[]
  keep_ip_addresses?: boolean
  filter_browser_extensions?: boolean
  filter_web_crawlers?: boolean
  filter_localhost?: boolean
  filtered_releases?: string[]
  filtered_messages?: string[]
  retention_days?: number | null
  source_link?: string | null
}

interface Subject {
  project: Project
  setting: ErrorSetting | null
}

/** Creates or changes the settings of a project. Undefined values stay unchanged; an external tracker must be reachable. */
export async function changeSetting(em: EntityManager, config: Config, { project, setting }: Subject, values: SettingValues, by: Actor) {
  validateRetention(values, config.eventRetentionDays)
  validateSourceLink(values)
  const integrated = values.integrated ?? setting?.integrated ?? true
  const tracker = await linkTracker(config, project.id, { ...values, integrated }, setting)
  const columns = definedOnly({ ...toColumns({ ...values, integrated }), ...tracker })
  const changed = await em.transactional(async em => {
    const setting = await lockSetting(em, project.id)

    // Names only: one of the values may be a token.
    recordAuditEvent(em, by, {
      name: 'error_tracking_settings_updated',
      entity: project.audited(),
      details: { given: Object.keys(values) }
    })

    return em.assign(setting, columns)
  })

  await invalidateCache(em, config, 'client-key')
  for (const cache of ['scrub-rules', 'inbound-filters'] as const) await invalidateCache(em, config, cache, String(project.id))

  return changed
}

/** Creates the row if there is none; its date is earlier than any that a client can name. */
async function lockSetting(em: EntityManager, projectId: number) {
  await lockRow(em, 'projects', projectId)
  const setting =
    (await em.findOne(ErrorSetting, { projectId })) ??
    em.create(ErrorSetting, { projectId, active: false, integrated: true, updatedAt: new Date(0) })

  await em.flush()
  await lockForChange(em, setting)

  return setting
}

function validateRetention({ retention_days: days }: SettingValues, maxDays: number) {
  if (days && days > maxDays) {
    throw new ValidationFailed({
      retention_days: [`must be at most ${maxDays}, the retention of this installation (EVENT_RETENTION_DAYS)`]
    })
  }
}

function validateSourceLink({ source_link: pattern }: SettingValues) {
  const problem = pattern ? findPatternProblem(pattern) : undefined

  if (problem) throw new ValidationFailed({ source_link: [problem] })
}

function toColumns(values: SettingValues) {
  return {
    active: values.active,
    integrated: values.integrated,
    eventsPerMinute: values.events_per_minute,
    hasSpikeProtection: values.spike_protection,
    isScrubbing: values.scrubbing,
    scrubbedKeys: values.scrubbed_keys,
    safeKeys: values.safe_keys,
    keepsIpAddresses: values.keep_ip_addresses,
    filtersBrowserExtensions: values.filter_browser_extensions,
    filtersWebCrawlers: values.filter_web_crawlers,
    filtersLocalhost: values.filter_localhost,
    filteredReleases: values.filtered_releases,
    filteredMessages: values.filtered_messages,
    retentionDays: values.retention_days,
    sourceLink: values.source_link
  }
}

function definedOnly<T extends object>(values: T) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
