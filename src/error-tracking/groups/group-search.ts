import type { Static } from 'typebox'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { type AssigneeId, isAny } from '../../projects/members/assignees.ts'
import { statuses } from './error-group.ts'
import type { GroupFilter, GroupPage, SortColumn } from './list-groups.ts'

const columns: Record<SortColumn, string> = {
  lastSeenAt: 'last_seen_at',
  firstSeenAt: 'first_seen_at',
  events: 'events',
  users: 'users'
}

/** Characters of a piece; a shorter text is a piece by itself. */
const longestPiece = 3
/** As many pieces of a text as tell it from others; more of them only take longer. */
const mostPieces = 24

/** The page's groups as far as they are among the next `steps` of its order, status by status, as the indexes are. */
export async function walkGroups(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage, steps: number) {
  const { bind, values } = parameters()
  const project = bind(projectId)
  const beyond = [...seenWithin(filter, page.column, bind), ...beyondCursor(page, bind)]
  const walks = wantedStatuses(filter).map(
    status => `(SELECT id, assignee_id, first_seen_at, last_seen_at, events, users FROM error_groups
      WHERE ${[`project_id = ${project}`, `status = '${status}'`, 'merged_into IS NULL', ...beyond].join(' AND ')} ${orderOf(page)} LIMIT ${steps})`
  )
  // Not EXISTS: that may become a join with all there is, where only the next few are wanted.
  const conditions = [
    ...ownOf(filter, bind),
    ...traitsOf(filter).map(
      trait => `(SELECT true FROM error_traits t WHERE t.project_id = ${project} AND t.trait = ${bind(trait)} AND t.group_id = g.id)`
    ),
    ...(filter.query ? [`(SELECT true FROM error_searches s WHERE s.group_id = g.id AND ${hasText(filter.query, bind)})`] : [])
  ]

  return ids(em, `SELECT id FROM (${walks.join(' UNION ALL ')}) g ${where(conditions)} ${orderOf(page)} LIMIT ${bind(page.limit)}`, values)
}

/**
 * The page out of all groups that match, which an index finds. Sorted only then, or the order would be walked to its end.
 * As long as nothing asks for more of a group than its place in the list, none of their rows is read.
 */
export async function gatherGroups(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage) {
  const { bind, values } = parameters()
  const project = bind(projectId)
  const searched = [
    ...traitsOf(filter).map(trait => `SELECT group_id FROM error_traits WHERE project_id = ${project} AND trait = ${bind(trait)}`),
    ...(filter.query
      ? [
          `SELECT group_id FROM error_searches s WHERE ${hasText(filter.query, bind)}
           AND error_terms(s.project_id, s.words) @> ${bind(piecesOf(projectId, filter.query))}::text[]`
        ]
      : [])
  ]
  const conditions = [
    `g.project_id = ${project}`,
    `g.status = ANY (${bind(wantedStatuses(filter))})`,
    ...ownOf(filter, bind),
    ...beyondCursor(page, bind),
    ...searched.map(source => `g.id IN (${source})`),
    // What was merged is not to be searched for.
    ...(searched.length > 0 ? [] : ['g.merged_into IS NULL'])
  ]

  return ids(
    em,
    `WITH found AS MATERIALIZED (SELECT g.id, g.${columns[page.column]} FROM error_groups g ${where(conditions)})
     SELECT id FROM found ${orderOf(page)} LIMIT ${bind(page.limit)}`,
    values
  )
}

type Bind = (value: unknown) => string

function parameters() {
  const values: unknown[] = []
  const bind: Bind = value => `$${values.push(value)}`

  return { bind, values }
}

async function ids(em: EntityManager, sql: string, values: unknown[]) {
  return (await query<{ id: string }>(em, sql, values)).map(({ id }) => Number(id))
}

function wantedStatuses({ status }: GroupFilter) {
  return status ? [status] : [...statuses]
}

/** What the group's own row tells. */
function ownOf(filter: GroupFilter, bind: Bind) {
  return [
    ...(filter.assigneeId === undefined ? [] : [assigneeIs(filter.assigneeId, bind)]),
    ...seenWithin(filter, 'firstSeenAt', bind),
    ...seenWithin(filter, 'lastSeenAt', bind)
  ]
}

function assigneeIs(id: Static<typeof AssigneeId>, bind: Bind) {
  if (typeof id === 'number' && id !== 0) return `assignee_id = ${bind(id)}`

  return isAny(id) ? 'assignee_id IS NOT NULL' : 'assignee_id IS NULL'
}

function seenWithin({ firstSeen, lastSeen }: GroupFilter, column: SortColumn, bind: Bind) {
  const { after, before } = { firstSeenAt: firstSeen, lastSeenAt: lastSeen, events: {}, users: {} }[column] as GroupFilter['firstSeen']

  return [
    ...(after ? [`${columns[column]} >= ${bind(after.toISOString())}`] : []),
    ...(before ? [`${columns[column]} <= ${bind(before.toISOString())}`] : [])
  ]
}

/** What an error has, as `error_traits` spells it. */
function traitsOf({ level, environment, release }: GroupFilter) {
  return Object.entries({ level, environment, release }).flatMap(([kind, value]) => (value === undefined ? [] : [`${kind} ${value}`]))
}

function hasText(text: string, bind: Bind) {
  return `s.words LIKE lower(${bind(`%${text.replace(/[\\%_]/g, '\\$&')}%`)})`
}

/** Of a text, as the index spells them. */
function piecesOf(projectId: number, text: string) {
  const signs = [...text.toLowerCase()]
  const length = Math.min(signs.length, longestPiece)

  return signs
    .slice(length - 1)
    .slice(0, mostPieces)
    .map((_, n) => `${projectId} ${signs.slice(n, n + length).join('')}`)
}

function beyondCursor({ column, isAscending, after }: GroupPage, bind: Bind) {
  return after ? [`(${columns[column]}, id) ${isAscending ? '>' : '<'} (${bind(after[0])}, ${bind(after[1])})`] : []
}

function orderOf({ column, isAscending }: GroupPage) {
  const direction = isAscending ? 'ASC' : 'DESC'

  return `ORDER BY ${columns[column]} ${direction}, id ${direction}`
}

function where(conditions: string[]) {
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
}
