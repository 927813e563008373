import { type RawBuilder, sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { isUser } from './assignee-filter.ts'
import { hasAssignee, meets, sourceOf } from './condition-store.ts'
import { type Status, statuses } from './error-group.ts'
import type { GroupFilter, GroupPage, SortColumn } from './group-filter.ts'

const columns: Record<SortColumn, RawBuilder<unknown>> = {
  lastSeenAt: sql.ref('last_seen_at'),
  firstSeenAt: sql.ref('first_seen_at'),
  events: sql.ref('events'),
  users: sql.ref('users'),
  priority: sql.ref('priority')
}

const scanned = [
  'id',
  'assignee_id',
  'assignee_group_id',
  'first_seen_at',
  'last_seen_at',
  'events',
  'users',
  'priority',
  'regressed_at'
].map(name => sql.ref(name))

/** The ids of the matches among the next `steps` groups in list order. Scans each status separately, because the indexes start with it. */
export function scanGroups(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage, steps: number) {
  const scans = statusesOf(filter).map(
    status => sql`(
      SELECT ${filter.conditions ? sql`*` : sql.join(scanned)} FROM error_groups
      WHERE ${allOf(
        sql`project_id = ${projectId} AND status = ${sql.lit(status)} AND merged_into IS NULL`,
        hasOrderedIndex(filter, page),
        seenWithin(filter, page.column),
        isAfter(page)
      )} ${orderBy(page)} LIMIT ${sql.lit(steps)})`
  )

  return findIds(
    em,
    sql`SELECT id FROM (${sql.join(scans, sql` UNION ALL `)}) g WHERE ${conditionsOf(filter, projectId)} ${orderBy(page)} LIMIT ${page.limit}`
  )
}

/** The groups of a project with these ids, in their order, that have a status. */
export interface IdRange {
  /** Exclusive. */
  after: number
  upTo: number
  statuses: readonly Status[]
}

/** The id of the newest group. */
export async function findLastId(em: EntityManager) {
  const { rows } = await sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM error_groups`.execute(em.getKysely())

  return rows[0]!.id
}

/** The number of matches: an estimate, from the first `sample` groups, when there are more of them. */
export async function estimateMatches(em: EntityManager, projectId: number, filter: GroupFilter, range: IdRange, sample = 20_000) {
  const { rows } = await sql<{ matches: number; sampled: number; groups: number }>`
    WITH g AS MATERIALIZED (
      SELECT * FROM error_groups g WHERE ${inRange(projectId, range)} ORDER BY id LIMIT ${sql.lit(sample)}
    )
    SELECT (SELECT count(*) FROM g WHERE ${conditionsOf(filter, projectId)}) AS matches, (SELECT count(*) FROM g) AS sampled,
      (SELECT count(*) FROM error_groups g WHERE ${inRange(projectId, range)}) AS groups`.execute(em.getKysely())
  const { matches, sampled, groups } = rows[0]!

  return Math.round((matches * groups) / Math.max(1, sampled))
}

/** The ids of the matches among the next `steps` groups, and the id up to which that is; undefined when no group is left. */
export async function scanRange(em: EntityManager, projectId: number, filter: GroupFilter, range: IdRange, steps: number) {
  const { rows } = await sql<{ last: number | null; ids: number[] }>`
    WITH g AS MATERIALIZED (
      SELECT * FROM error_groups g WHERE ${inRange(projectId, range)} ORDER BY id LIMIT ${sql.lit(steps)}
    )
    SELECT (SELECT max(id) FROM g) AS last, ARRAY(SELECT id FROM g WHERE ${conditionsOf(filter, projectId)} ORDER BY id) AS ids`.execute(
    em.getKysely()
  )

  return { ids: rows[0]!.ids, last: rows[0]!.last ?? undefined }
}

function inRange(projectId: number, { after, upTo, statuses }: IdRange) {
  return sql`g.project_id = ${projectId} AND g.merged_into IS NULL AND g.id > ${after} AND g.id <= ${upTo} AND g.status = ANY (${statuses}::text[])`
}

/** The conditions on a row `g`, apart from the status. Not EXISTS: the planner may turn it into a join with the entire table. */
function conditionsOf(filter: GroupFilter, projectId: number) {
  return allOf(
    columnConditions(filter),
    ...traitsOf(filter).map(
      trait => sql`(SELECT true FROM error_traits t WHERE t.project_id = ${projectId} AND t.trait = ${trait} AND t.group_id = g.id)`
    ),
    ...(filter.tags ?? []).map(
      tag => sql`(SELECT true FROM error_tags t WHERE t.project_id = ${projectId} AND t.tag = ${tag} AND t.group_id = g.id)`
    ),
    filter.texts && sql`(SELECT true FROM error_searches s WHERE s.group_id = g.id AND ${allOf(...filter.texts.map(hasText))})`,
    ...(filter.conditions ?? []).map(condition => meets(condition, projectId))
  )
}

/** The ids of a page out of all matches, found by an index and then sorted: otherwise the planner would scan in list order. */
export function searchGroups(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage) {
  const sources = traitsOf(filter).map(trait => sql`SELECT group_id FROM error_traits WHERE project_id = ${projectId} AND trait = ${trait}`)

  for (const tag of filter.tags ?? []) sources.push(sql`SELECT group_id FROM error_tags WHERE project_id = ${projectId} AND tag = ${tag}`)
  if (filter.texts) {
    const terms = filter.texts.flatMap(trigramsOf).slice(0, maxTerms)

    sources.push(sql`
      SELECT group_id FROM error_searches s
      WHERE ${allOf(...filter.texts.map(hasText))} AND error_terms(s.project_id, s.words) @> ${terms.map(term => `${projectId} ${term}`)}::text[]`)
  }
  const others = filter.conditions ?? []

  sources.push(...others.flatMap(condition => sourceOf(condition, projectId) ?? []))
  const conditions = [
    sql`g.project_id = ${projectId} AND g.status = ANY (${statusesOf(filter)})`,
    columnConditions(filter),
    isAfter(page),
    ...sources.map(source => sql`g.id IN (${source})`),
    ...others.map(condition => meets(condition, projectId)),
    // The search tables have no merged groups. Without this condition, the index alone answers the query.
    (sources.length === 0 || others.length > 0) && sql`g.merged_into IS NULL`
  ]

  return findIds(
    em,
    sql`
      WITH found AS MATERIALIZED (SELECT g.id, g.${columns[page.column]} FROM error_groups g WHERE ${allOf(...conditions)})
      SELECT id FROM found ${orderBy(page)} LIMIT ${page.limit}`
  )
}

/** Counting stops here. */
export const maxCounted = 1000

/** How many errors match each filter, up to `maxCounted`. For conditions that are columns: others are not counted. */
export async function countGroups(em: EntityManager, projectId: number, filters: GroupFilter[]) {
  const counts = filters.map(filter => sql`(SELECT count(*) FROM (${countedGroups(projectId, filter)}) counted)`)
  const { rows } = await sql<{ counts: string[] }>`SELECT ARRAY[${sql.join(counts)}] AS counts`.execute(em.getKysely())

  return rows[0]!.counts.map(Number)
}

/** In the order of an index: otherwise the planner may read the entire table. */
function countedGroups(projectId: number, filter: GroupFilter) {
  const page: GroupPage = { column: filter.firstSeen.after ? 'firstSeenAt' : 'lastSeenAt', isAscending: false, limit: maxCounted }
  const scans = statusesOf(filter).map(
    status => sql`(
      SELECT FROM error_groups g
      WHERE project_id = ${projectId} AND status = ${sql.lit(status)} AND merged_into IS NULL AND ${columnConditions(filter)}
      ${orderBy(page)} LIMIT ${maxCounted})`
  )

  return sql`SELECT FROM (${sql.join(scans, sql` UNION ALL `)}) scanned LIMIT ${maxCounted}`
}

async function findIds(em: EntityManager, statement: RawBuilder<unknown>) {
  const { rows } = await sql<{ id: number }>`${statement}`.execute(em.getKysely())

  return rows.map(({ id }) => id)
}

function statusesOf({ status }: GroupFilter) {
  return status ? [status] : [...statuses]
}

function columnConditions(filter: GroupFilter) {
  const { assignee, isRegressed } = filter

  return allOf(
    isRegressed && sql`regressed_at IS NOT NULL`,
    assignee !== undefined && hasAssignee(assignee),
    seenWithin(filter, 'firstSeenAt'),
    seenWithin(filter, 'lastSeenAt')
  )
}

/** Conditions of partial indexes in list order: a scan reads matches only. */
function hasOrderedIndex({ assignee, isRegressed }: GroupFilter, { column }: GroupPage) {
  if (column !== 'lastSeenAt') return undefined

  return allOf(isRegressed && sql`regressed_at IS NOT NULL`, isUser(assignee) && sql`assignee_id = ${assignee}`)
}

function seenWithin({ firstSeen, lastSeen }: GroupFilter, column: SortColumn) {
  const ranges: Partial<Record<SortColumn, GroupFilter['firstSeen']>> = { firstSeenAt: firstSeen, lastSeenAt: lastSeen }
  const { after, before } = ranges[column] ?? {}

  return allOf(after && sql`${columns[column]} >= ${after.toISOString()}`, before && sql`${columns[column]} <= ${before.toISOString()}`)
}

/** The filter in the format of `error_traits`. */
function traitsOf({ level, environment, release }: GroupFilter) {
  return Object.entries({ level, environment, release }).flatMap(([kind, value]) => (value === undefined ? [] : [`${kind} ${value}`]))
}

export function hasText(text: string) {
  return sql`s.words LIKE lower(${containing(text)})`
}

/** Shorter texts are one term. */
const termLength = 3
/** Enough terms to be selective. */
const maxTerms = 24

/** The terms of a text; `error_terms` puts the project's id before each. */
export function trigramsOf(text: string) {
  const characters = [...text.toLowerCase()]
  const length = Math.min(characters.length, termLength)

  return characters
    .slice(length - 1)
    .slice(0, maxTerms)
    .map((_, n) => characters.slice(n, n + length).join(''))
}

function isAfter({ column, isAscending, after }: GroupPage) {
  return after && sql`(${columns[column]}, id) ${sql.raw(isAscending ? '>' : '<')} (${after[0]}, ${after[1]})`
}

function orderBy({ column, isAscending }: GroupPage) {
  const direction = sql.raw(isAscending ? 'ASC' : 'DESC')

  return sql`ORDER BY ${columns[column]} ${direction}, id ${direction}`
}
