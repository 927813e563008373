import Type from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Day } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { severities } from '#lib/severity.ts'
import { LabelName } from '#projects/labels/label-schemas.ts'
import { MilestoneShape } from '#projects/milestones/milestone-schemas.ts'
import { Person } from '#projects/schemas.ts'
import { issueTypes } from './issue.ts'
import { incidentStatuses } from './issue-note.ts'

export const Severity = Type.Enum([...severities, ...severities.map(severity => severity.toUpperCase())])

export const ProjectId = Type.Object({ id: Type.String() })
export const IssueParams = Type.Object({
  id: Type.String(),
  issue_iid: Type.Integer({ description: 'The issue’s number in its project.' })
})
export const NoteParams = Type.Object({ ...IssueParams.properties, note_id: Type.Integer() })

export const TimeStats = Type.Object({
  time_estimate: Type.Integer({ description: 'Seconds.' }),
  total_time_spent: Type.Integer({ description: 'Seconds.' }),
  human_time_estimate: Nullable(Type.String({ description: 'Such as `1w 2d 3h`.' })),
  human_total_time_spent: Nullable(Type.String())
})

export const IssueShape = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: Nullable(Type.String()),
  state: Type.Enum(['opened', 'closed']),
  issue_type: Type.Enum([...issueTypes]),
  type: Type.Enum(issueTypes.map(type => type.toUpperCase())),
  severity: Type.Enum(severities.map(severity => severity.toUpperCase())),
  author: Person,
  assignees: Type.Array(Person),
  assignee: Nullable(Person),
  alert_iids: Type.Array(Type.Integer(), { description: 'The alerts it was opened from.' }),
  created_at: Type.String(),
  updated_at: Type.String(),
  closed_at: Nullable(Type.String()),
  closed_by: Nullable(Person),
  user_notes_count: Type.Integer(),
  web_url: Type.String(),
  references: Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() }),
  _links: Type.Object({ self: Type.String(), notes: Type.String(), project: Type.String() }),
  labels: Type.Array(Type.String()),
  milestone: Nullable(MilestoneShape),
  due_date: Nullable(Type.String()),
  confidential: Type.Boolean(),
  has_tasks: Type.Boolean(),
  task_completion_status: Type.Object({ count: Type.Integer(), completed_count: Type.Integer() }),
  time_stats: TimeStats,
  moved_to_id: Nullable(Type.Integer())
})
export const IssueDetails = Type.Object({ ...IssueShape.properties, subscribed: Type.Boolean() })

export const NoteShape = Type.Object({
  id: Type.Integer(),
  type: Nullable(Type.Literal('DiscussionNote')),
  body: Type.String(),
  author: Person,
  created_at: Type.String(),
  updated_at: Type.String(),
  system: Type.Boolean({ description: 'Whether it records a change, instead of being a comment.' }),
  incident_status: Nullable(Type.Enum([...incidentStatuses], { description: 'Of a status update of an incident.' })),
  noteable_id: Type.Integer(),
  noteable_iid: Type.Integer(),
  noteable_type: Type.Literal('Issue'),
  project_id: Type.Integer(),
  resolvable: Type.Boolean(),
  confidential: Type.Boolean(),
  internal: Type.Boolean()
})

/** Cannot be stored. Ignoring true would show a secret to everybody. */
const OnlyFalse = Type.Optional(Type.Literal(false))

const Labels = Type.Optional(
  CommaSeparated(LabelName, { maxItems: 100, description: 'Label names. New ones are created as project labels.' })
)

const attributes = {
  title: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  description: Type.Optional(Nullable(Type.String({ maxLength: 1_000_000 }))),
  severity: Type.Optional(Severity),
  assignee_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 100, description: 'Member IDs; empty to unassign everyone.' })),
  assignee_id: Type.Optional(
    Nullable(Type.Integer({ description: 'A single assignee, unless `assignee_ids` is given; null or 0 to unassign everyone.' }))
  ),
  labels: Labels,
  milestone_id: Type.Optional(Nullable(Type.Integer({ description: 'Null or 0 for none.' }))),
  due_date: Day,
  confidential: Type.Optional(Type.Boolean())
}

export const NewIssueBody = Type.Object({
  ...attributes,
  issue_type: Type.Optional(Type.Enum([...issueTypes], { description: '`issue` by default.' }))
})
export const IssueChangesBody = Type.Object({
  ...attributes,
  title: Type.Optional(attributes.title),
  add_labels: Labels,
  remove_labels: Labels,
  state_event: Type.Optional(Type.Enum(['close', 'reopen']))
})
export const NoteBody = Type.Object({
  body: Type.String({ minLength: 1, maxLength: 1_000_000 }),
  internal: OnlyFalse,
  confidential: OnlyFalse
})
export const NewNoteBody = Type.Object({
  ...NoteBody.properties,
  incident_status: Type.Optional(
    Nullable(Type.Enum([...incidentStatuses], { description: 'Makes the comment a status update of the incident.' }))
  )
})
export const NotesQuery = Type.Object({
  ...paging,
  sort: Type.Optional(Type.Enum(['asc', 'desc'])),
  activity_filter: Type.Optional(Type.Enum(['all_notes', 'only_comments', 'only_activity']))
})
