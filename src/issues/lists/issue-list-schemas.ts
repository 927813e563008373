import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { keysetParameters } from '#api/pagination/keyset.ts'
import { paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Time } from '#api/parameters/time.ts'
import type { Viewer } from '#identity/viewer.ts'
import { issueTypes } from '#issues/issue.ts'
import { Severity } from '#issues/issue-schemas.ts'
import { dueFilters } from '#issues/lists/due-filter.ts'
import type { IssueFilter, Timebox } from '#issues/lists/issue-filter.ts'
import { orders } from '#issues/lists/list-issues.ts'
import { readSeverity } from '#issues/present-issue.ts'
import { toTime } from '#lib/time.ts'
import { AssigneeId, isAssigned } from '#projects/members/assignees.ts'

const OptionalTime = (description: string) => Type.Optional(Time(description))
const Name = Type.String({ maxLength: 255 })
const Search = Type.Optional(Type.String({ maxLength: 200, description: 'Text in the title or the description.' }))

/** Filters that can be negated by `not[…]`. */
const criteria = {
  iids: Type.Optional(CommaSeparated(Type.Integer())),
  search: Search,
  in: Type.Optional(CommaSeparated(Type.Enum(['title', 'description']), { description: 'Where to search.' })),
  author_id: Type.Optional(Type.Integer()),
  author_username: Type.Optional(Name),
  assignee_id: Type.Optional(AssigneeId),
  assignee_username: Type.Optional(CommaSeparated(Name)),
  labels: Type.Optional(
    CommaSeparated(Name, { maxItems: 100, description: 'Label names that must all be on the issue; `None` or `Any`.' })
  ),
  milestone: Type.Optional(Type.String({ maxLength: 255, description: 'A title, `None` or `Any`.' })),
  milestone_id: Type.Optional(
    Type.Enum(['None', 'Any', 'Upcoming', 'Started', 'none', 'any', 'upcoming', 'started'], {
      description: 'Whether the issue has a milestone: `Upcoming` is due after today, `Started` has begun; both are open.'
    })
  )
}

const scopes = ['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'] as const
type Scope = (typeof scopes)[number]

const filters = {
  ...criteria,
  scope: Type.Optional(Type.Enum([...scopes])),
  issue_type: Type.Optional(Type.Enum([...issueTypes])),
  severity: Type.Optional(Severity),
  confidential: Type.Optional(Type.Boolean()),
  due_date: Type.Optional(Type.Enum(dueFilters, { description: '`0` or `none` for issues without a due date; weeks begin on Mondays.' })),
  created_after: OptionalTime('Created at or after this time.'),
  created_before: OptionalTime('Created at or before this time.'),
  updated_after: OptionalTime('Updated at or after this time.'),
  updated_before: OptionalTime('Updated at or before this time.'),
  not: Type.Optional(Type.Object(criteria, { description: 'Leaves out matching issues, as in `not[labels]=bug`.' }))
}

export const StatisticsQuery = Type.Object(filters)

export const IssuesQuery = Type.Object({
  ...paging,
  ...keysetParameters,
  ...filters,
  state: Type.Optional(Type.Enum(['opened', 'closed', 'all'])),
  with_labels_details: Type.Optional(Type.Boolean({ description: 'Labels with their colors and descriptions, not only their names.' })),
  order_by: Type.Optional(Type.Enum(Object.keys(orders) as (keyof typeof orders)[]))
})

const nonArchived = Type.Optional(
  Type.Boolean({ description: 'Leaves out archived projects and those marked for deletion; true by default.' })
)

export const AllIssuesQuery = Type.Object({ ...IssuesQuery.properties, non_archived: nonArchived })

export function readFilter({ scope = 'all', ...query }: Static<typeof StatisticsQuery> & { state?: string }, viewer: Viewer): IssueFilter {
  const time = (name: TimeName) => toTime(query[name])

  return {
    ...readCriteria(query, viewer),
    within: [isInScope(scope, viewer)],
    not: query.not && readCriteria(query.not, viewer),
    issueType: query.issue_type,
    state: query.state === 'opened' || query.state === 'closed' ? query.state : undefined,
    severity: readSeverity(query.severity),
    isConfidential: query.confidential,
    due: query.due_date,
    createdAfter: time('created_after'),
    createdBefore: time('created_before'),
    updatedAfter: time('updated_after'),
    updatedBefore: time('updated_before')
  }
}

function isInScope(scope: Scope, { id }: Viewer) {
  if (scope.startsWith('created')) return sql`author_id = ${id}`

  return scope === 'all' ? sql`true` : isAssigned('issue', id, undefined)
}

function readCriteria(query: NonNullable<Static<typeof StatisticsQuery>['not']>, _viewer: Viewer) {
  return {
    iids: query.iids,
    search: query.search,
    searchIn: query.in,
    authorId: query.author_id,
    authorUsername: query.author_username,
    assigneeId: query.assignee_id,
    assigneeUsername: query.assignee_username?.[0],
    labels: query.labels?.length === 0 ? undefined : query.labels,
    milestone: query.milestone || undefined,
    timebox: query.milestone_id?.toLowerCase() as Timebox | undefined
  }
}

type TimeName = `${'created' | 'updated'}_${'after' | 'before'}`
