import { type EntityManager, query } from '../platform/database.ts'
import { statuses } from './group.ts'
import type { GroupFilter, GroupPage, SortColumn } from './list-groups.ts'

const columns: Record<SortColumn, string> = {
  lastSeenAt: 'last_seen_at',
  firstSeenAt: 'first_seen_at',
  events: 'events',
  users: 'users'
}

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
  const searched = searchedFor(filter, bind)
  const conditions = [
    ...ownOf(filter, bind),
    // Not EXISTS: that may become a join with all there is, where only the next few are wanted.
    ...(searched.length > 0 ? [`(SELECT true FROM error_searches s WHERE s.group_id = g.id AND ${searched.join(' AND ')})`] : [])
  ]

  return ids(em, `SELECT id FROM (${walks.join(' UNION ALL ')}) g ${where(conditions)} ${orderOf(page)} LIMIT ${bind(page.limit)}`, values)
}

/** The page out of all groups that match, which an index finds. Sorted only then, or the order would be walked to its end. */
export async function gatherGroups(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage) {
  const { bind, values } = parameters()
  const searched = searchedFor(filter, bind)
  const terms = termsOf(projectId, filter)
  const conditions = [
    `g.project_id = ${bind(projectId)}`,
    `g.status = ANY (${bind(wantedStatuses(filter))})`,
    'g.merged_into IS NULL',
    ...ownOf(filter, bind),
    ...beyondCursor(page, bind),
    ...searched,
    ...(terms.length > 0 ? [`error_terms(s.project_id, s.level, s.environments, s.releases, s.words) @> ${bind(terms)}::text[]`] : [])
  ]

  return ids(
    em,
    `WITH found AS MATERIALIZED (
       SELECT g.id, g.${columns[page.column]} FROM error_groups g ${searched.length > 0 ? 'JOIN error_searches s ON s.group_id = g.id' : ''}
       ${where(conditions)}
     ) SELECT id FROM found ${orderOf(page)} LIMIT ${bind(page.limit)}`,
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
    ...(filter.assigneeId === undefined ? [] : [`assignee_id = ${bind(filter.assigneeId)}`]),
    ...seenWithin(filter, 'firstSeenAt', bind),
    ...seenWithin(filter, 'lastSeenAt', bind)
  ]
}

function seenWithin({ firstSeen, lastSeen }: GroupFilter, column: SortColumn, bind: Bind) {
  const { after, before } = { firstSeenAt: firstSeen, lastSeenAt: lastSeen, events: {}, users: {} }[column] as GroupFilter['firstSeen']

  return [
    ...(after ? [`${columns[column]} >= ${bind(after.toISOString())}`] : []),
    ...(before ? [`${columns[column]} <= ${bind(before.toISOString())}`] : [])
  ]
}

/** What lies beside it, to be searched. */
function searchedFor({ level, environment, release, query: text }: GroupFilter, bind: Bind) {
  return [
    ...(level === undefined ? [] : [`s.level = ${bind(level)}`]),
    ...(environment === undefined ? [] : [`s.environments @> ${bind([environment])}::text[]`]),
    ...(release === undefined ? [] : [`s.releases @> ${bind([release])}::text[]`]),
    ...(text ? [`s.words LIKE lower(${bind(`%${text.replace(/[\\%_]/g, '\\$&')}%`)})`] : [])
  ]
}

/** The same as the index spells it. */
function termsOf(projectId: number, { level, environment, release, query: text = '' }: GroupFilter) {
  const signs = [...text.toLowerCase()]
  const pieces = signs.slice(2).map((sign, n) => `${signs[n]}${signs[n + 1]}${sign}`)

  return [
    ...(level === undefined ? [] : [`level ${level}`]),
    ...(environment === undefined ? [] : [`environment ${environment}`]),
    ...(release === undefined ? [] : [`release ${release}`]),
    ...pieces.slice(0, mostPieces)
  ].map(term => `${projectId} ${term}`)
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
