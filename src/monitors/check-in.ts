import { hash } from 'node:crypto'
import { type Json, objectOrUndefined } from '#lib/json.ts'
import { isTimeZone } from '#lib/time-zone.ts'
import { readSchedule, type Schedule } from './schedule.ts'
import { slugOf } from './slug.ts'

/** What a job reports: that it began, or how it ended. */
export interface CheckIn {
  projectId: number
  envelopeId: string
  receivedAt: Date
  slug: string
  environment: string
  status: 'in_progress' | 'ok' | 'error'
  /** The same for the beginning and the end of a run; undefined for the run that is in progress. */
  id: string | undefined
  durationMs: number | undefined
  /** What the job says about its monitor. */
  config: Partial<MonitorConfig> | undefined
}

export interface MonitorConfig {
  schedule: Schedule
  timezone: string
  marginMinutes: number
  maxRunMinutes: number
  failureThreshold: number
  recoveryThreshold: number
}

const noId = /^0{32}$/
const maxDurationMs = 366 * 86_400_000

interface Origin extends Pick<CheckIn, 'projectId' | 'envelopeId' | 'receivedAt'> {
  /** Among the items of the envelope. */
  position: number
}

/** Undefined for one without a name or a status. */
export function parseCheckIn(sent: Json, { projectId, envelopeId, receivedAt, position }: Origin): CheckIn | undefined {
  const slug = slugOf(sent.monitor_slug)
  const status = statusOf(sent.status)

  if (!slug || !status) return undefined
  const id = typeof sent.check_in_id === 'string' ? sent.check_in_id.replaceAll('-', '').toLowerCase() : ''
  const { duration } = sent

  return {
    projectId,
    envelopeId,
    receivedAt,
    slug,
    environment: typeof sent.environment === 'string' && sent.environment.trim() ? sent.environment.trim().slice(0, 64) : 'production',
    status,
    // Without an id, a check-in is a run of its own.
    id: noId.test(id) ? undefined : /^[0-9a-f]{32}$/.test(id) ? id : hash('md5', `${envelopeId} ${position}`),
    durationMs: typeof duration === 'number' && duration >= 0 ? Math.min(Math.round(duration * 1000), maxDurationMs) : undefined,
    config: readConfig(sent.monitor_config)
  }
}

function statusOf(given: unknown): CheckIn['status'] | undefined {
  return (['in_progress', 'ok', 'error'] as const).find(status => status === given)
}

/** Wrong values are left out: a typo in a configuration must not lose the check-in. */
function readConfig(given: unknown): Partial<MonitorConfig> | undefined {
  const sent = objectOrUndefined(given)
  const schedule = readSchedule(sent?.schedule)

  if (!sent || !schedule) return undefined
  const { timezone } = sent

  return {
    schedule,
    ...(typeof timezone === 'string' && isTimeZone(timezone) && { timezone }),
    ...whole('marginMinutes', sent.checkin_margin, 0),
    ...whole('maxRunMinutes', sent.max_runtime, 1),
    ...whole('failureThreshold', sent.failure_issue_threshold, 1),
    ...whole('recoveryThreshold', sent.recovery_threshold, 1)
  }
}

const maxWhole = 43_200

function whole(name: keyof MonitorConfig, value: unknown, min: number) {
  return Number.isInteger(value) && Number(value) >= min ? { [name]: Math.min(Number(value), maxWhole) } : {}
}
