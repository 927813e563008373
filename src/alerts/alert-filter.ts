import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Severity } from '#lib/severity.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { type AssigneeId, isAssigned } from '#projects/members/assignees.ts'
import type { AlertStatus } from './alert.ts'

/** Which alerts a list shows, of one project or several. */
export interface AlertFilter {
  projectIds: number[]
  statuses?: AlertStatus[]
  severities?: Severity[]
  /** Words in the title, description, service or monitoring tool; quotes keep words together. */
  search?: string
  environment?: string
  service?: string
  tool?: string
  integrationId?: number
  /** 0 for unassigned alerts. */
  assigneeId?: Static<typeof AssigneeId>
  assigneeUsername?: string
  startedAfter?: Date
  startedBefore?: Date
  endedAfter?: Date
  endedBefore?: Date
}

/** A row of `alerts` matches the filter. */
export function matches(filter: AlertFilter) {
  const { projectIds, statuses, severities, assigneeId, assigneeUsername } = filter

  return allOf(
    projectIds.length === 1 ? sql`project_id = ${projectIds[0]}` : sql`project_id = ANY (${projectIds}::bigint[])`,
    statuses && sql`status = ANY (${statuses}::alert_status[])`,
    severities && sql`severity = ANY (${severities}::alert_severity[])`,
    hasColumns(filter),
    isAssigned('alert', assigneeId, assigneeUsername),
    hasText(filter)
  )
}

/** Conditions that have an index, or are true for most alerts. */
export function hasColumns(filter: AlertFilter) {
  const { startedAfter, startedBefore, endedAfter, endedBefore } = filter

  return allOf(
    filter.environment !== undefined && sql`environment = ${filter.environment}`,
    filter.service !== undefined && sql`service = ${filter.service}`,
    filter.tool !== undefined && sql`monitoring_tool = ${filter.tool}`,
    filter.integrationId !== undefined && sql`integration_id = ${filter.integrationId}`,
    startedAfter && sql`started_at >= ${startedAfter.toISOString()}::timestamptz`,
    startedBefore && sql`started_at <= ${startedBefore.toISOString()}::timestamptz`,
    endedAfter && sql`ended_at >= ${endedAfter.toISOString()}::timestamptz`,
    endedBefore && sql`ended_at <= ${endedBefore.toISOString()}::timestamptz`
  )
}

/** More words are one text. */
const maxTexts = 10

/** Each word of the search, and each text in quotes, is in one of the columns. */
export function hasText({ search = '' }: AlertFilter) {
  const words = search.match(/"[^"]+"|[^\s"]+/g) ?? []
  const texts = [...words.slice(0, maxTexts - 1), words.slice(maxTexts - 1).join(' ')].map(word => word.replaceAll('"', ''))

  return allOf(...texts.map(isInText))
}

function isInText(given: string) {
  const text = given.trim() && containing(given.trim())

  return text && sql`(title ILIKE ${text} OR description ILIKE ${text} OR monitoring_tool ILIKE ${text} OR service ILIKE ${text})`
}
