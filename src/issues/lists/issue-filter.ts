import { type Expression, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Severity } from '#lib/severity.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { type AssigneeId, isAssigned } from '#projects/members/assignees.ts'
import type { IssueState, IssueType } from '../issue.ts'
import { type DueFilter, isDue } from './due-filter.ts'

interface Criteria {
  iids?: number[]
  search?: string
  /** Where to search; both by default. */
  searchIn?: ('title' | 'description')[]
  authorId?: number
  authorUsername?: string
  /** 0 for unassigned issues. */
  assigneeId?: Static<typeof AssigneeId>
  assigneeUsername?: string
  /** Label names that must all be on the issue; `None` or `Any`. */
  labels?: string[]
  /** A title, `None` or `Any`. */
  milestone?: string
  timebox?: Timebox
}

export interface IssueFilter extends Criteria {
  projectId?: number
  projectIds?: number[]
  /** Conditions on the table `issues`, such as that a viewer sees them. */
  within?: Expression<unknown>[]
  issueType?: IssueType
  state?: IssueState
  severity?: Severity
  isConfidential?: boolean
  due?: DueFilter
  createdAfter?: Date
  createdBefore?: Date
  updatedAfter?: Date
  updatedBefore?: Date
  /** Leaves out the issues that match any of these. */
  not?: Criteria
}

/** On the table `issues`. */
export function matches({ projectId, projectIds, not = {}, ...filter }: IssueFilter) {
  return allOf(
    projectId !== undefined && sql`project_id = ${projectId}`,
    projectIds && sql`project_id = ANY (${projectIds}::bigint[])`,
    ...(filter.within ?? []),
    filter.issueType && sql`issue_type = ${filter.issueType}`,
    filter.state && sql`state = ${filter.state}`,
    filter.severity && sql`severity = ${filter.severity}::alert_severity`,
    filter.isConfidential !== undefined && sql`is_confidential = ${filter.isConfidential}`,
    filter.createdAfter && sql`created_at >= ${filter.createdAfter}`,
    filter.createdBefore && sql`created_at <= ${filter.createdBefore}`,
    filter.updatedAfter && sql`updated_at >= ${filter.updatedAfter}`,
    filter.updatedBefore && sql`updated_at <= ${filter.updatedBefore}`,
    filter.due && isDue(filter.due),
    ...conditionsOf(filter),
    ...exclusionsOf(not)
  )
}

/** Issues with any of several labels are left out. */
function exclusionsOf({ labels = [], ...not }: Criteria) {
  const conditions = [...conditionsOf(not), ...labels.map(name => isLabelled([name]))]

  return conditions.flatMap(condition => (condition ? [sql`(${condition}) IS NOT TRUE`] : []))
}

function conditionsOf({ searchIn, assigneeId, assigneeUsername, ...filter }: Criteria) {
  const text = filter.search?.trim() && containing(filter.search.trim())
  const hasAssignee = assigneeId !== undefined || assigneeUsername !== undefined

  return [
    text &&
      sql`(${sql.join(
        columnsOf(searchIn).map(column => sql`${sql.ref(column)} ILIKE ${text}`),
        sql` OR `
      )})`,
    filter.iids && sql`iid = ANY (${filter.iids}::bigint[])`,
    filter.authorId !== undefined && sql`author_id = ${filter.authorId}`,
    filter.authorUsername !== undefined && sql`author_id = (SELECT id FROM users WHERE lower(username) = lower(${filter.authorUsername}))`,
    filter.labels && isLabelled(filter.labels),
    filter.milestone !== undefined && isInMilestone(filter.milestone),
    filter.timebox && inTimebox[filter.timebox],
    hasAssignee && isAssigned('issue', assigneeId, assigneeUsername)
  ]
}

function columnsOf(searchIn: Criteria['searchIn'] = []) {
  return searchIn.length > 0 ? searchIn : ['title', 'description']
}

function isLabelled(names: string[]) {
  const [name = ''] = names
  const labels = sql`SELECT FROM issue_labels x WHERE x.issue_id = issues.id`

  if (names.length === 1 && isNone(name)) return sql`NOT EXISTS (${labels})`
  if (names.length === 1 && isAny(name)) return sql`EXISTS (${labels})`
  const distinct = [...new Set(names)]

  return sql`(SELECT count(DISTINCT l.name) FROM issue_labels x JOIN labels l ON l.id = x.label_id
    WHERE x.issue_id = issues.id AND l.name = ANY (${distinct})) = ${distinct.length}`
}

function isInMilestone(title: string) {
  if (isNone(title)) return inTimebox.none
  if (isAny(title)) return inTimebox.any

  return sql`milestone_id IN (SELECT id FROM milestones WHERE title = ${title})`
}

const today = sql`(now() AT TIME ZONE 'UTC')::date`

/** Conditions on the milestone of an issue. */
const inTimebox = {
  none: sql`milestone_id IS NULL`,
  any: sql`milestone_id IS NOT NULL`,
  upcoming: sql`milestone_id IN (SELECT id FROM milestones WHERE state = 'active' AND due_date > ${today})`,
  started: sql`milestone_id IN (SELECT id FROM milestones WHERE state = 'active' AND start_date <= ${today})`
}

export type Timebox = keyof typeof inTimebox

function isNone(name: string) {
  return /^none$/i.test(name)
}

function isAny(name: string) {
  return /^any$/i.test(name)
}
