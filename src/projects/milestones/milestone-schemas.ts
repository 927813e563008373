import { sql } from 'kysely'
import Type from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Day, Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { writeTime } from '#lib/time.ts'
import type { Tables } from '#platform/database/database.ts'
import type { JsonRow } from '#platform/database/json-row.ts'
import { ById } from '../schemas.ts'

const Title = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })

export const MilestoneParams = Type.Object({ ...ById.properties, milestone_id: Type.Integer() })

export const MilestonesQuery = Type.Object({
  ...paging,
  iids: Type.Optional(CommaSeparated(Type.Integer())),
  state: Type.Optional(Type.Enum(['active', 'closed', 'all'])),
  title: Type.Optional(Type.String({ maxLength: 255 })),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Text in the title or the description.' })),
  search_title: Type.Optional(Type.String({ maxLength: 255 })),
  include_ancestors: Type.Optional(Type.Boolean({ description: 'Default false.' })),
  include_parent_milestones: Type.Optional(Type.Boolean({ description: 'Use `include_ancestors`.' })),
  updated_after: Type.Optional(Time()),
  updated_before: Type.Optional(Time()),
  containing_date: Type.Optional(Time('Milestones that include this day.'))
})

const attributes = {
  description: Type.Optional(Nullable(Type.String({ maxLength: 100_000 }))),
  due_date: Day,
  start_date: Day
}
export const NewMilestoneBody = Type.Object({ title: Title, ...attributes })
export const MilestoneBody = Type.Object({
  title: Type.Optional(Title),
  ...attributes,
  state_event: Type.Optional(Type.Enum(['close', 'activate']))
})

export const MilestoneShape = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Optional(Type.Integer()),
  group_id: Type.Optional(Type.Integer()),
  title: Type.String(),
  description: Nullable(Type.String()),
  state: Type.Enum(['active', 'closed']),
  created_at: Type.String(),
  updated_at: Type.String(),
  due_date: Nullable(Type.String()),
  start_date: Nullable(Type.String()),
  expired: Type.Boolean(),
  web_url: Type.String()
})

export type MilestoneRow = JsonRow<Tables['milestones']> & {
  /** The path of its project or group. */
  full_path: string
}

/** A joined milestone as JSON; NULL where the outer join found none. */
export function milestoneJson(alias: string) {
  const column = (name: string) => sql.ref(`${alias}.${name}`)

  return sql<MilestoneRow>`CASE WHEN ${column('id')} IS NOT NULL THEN to_jsonb(${sql.ref(alias)}) || jsonb_build_object('full_path', coalesce(
    (SELECT full_path FROM projects WHERE id = ${column('project_id')}), (SELECT full_path FROM namespaces WHERE id = ${column('group_id')}))) END`
}

export function presentMilestone(milestone: MilestoneRow, baseUrl: string) {
  const { id, iid, project_id: projectId, group_id: groupId, title, description, state, due_date: dueDate } = milestone
  const owner = projectId === null ? `${baseUrl}/groups/${milestone.full_path}` : `${baseUrl}/${milestone.full_path}`

  return {
    id,
    iid,
    ...(projectId === null ? { group_id: groupId! } : { project_id: projectId }),
    title,
    description,
    state,
    created_at: writeTime(milestone.created_at),
    updated_at: writeTime(milestone.updated_at),
    due_date: dueDate,
    start_date: milestone.start_date,
    expired: dueDate !== null && dueDate < new Date().toISOString().slice(0, 10),
    web_url: `${owner}/-/milestones/${iid}`
  }
}
