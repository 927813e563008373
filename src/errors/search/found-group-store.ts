import { type RawBuilder, sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { isActiveMembership } from '#projects/members/roles.ts'
import type { Status } from '../groups/error-group.ts'
import { hasText, trigramsOf } from '../groups/group-search-store.ts'
import { parseEventId } from '../parse/envelope.ts'

/** An error as lists over several projects show it. */
export interface FoundGroup {
  id: number
  project_id: number
  name: string
  description: string
  actor: string
  level: string
  status: Status
  events: number
  users: number
  first_seen_at: Date
  last_seen_at: Date
  regressed_at: Date | null
}

const columns = sql.join(
  [
    'id',
    'project_id',
    'name',
    'description',
    'actor',
    'level',
    'status',
    'events',
    'users',
    'first_seen_at',
    'last_seen_at',
    'regressed_at'
  ].map(name => sql.ref(`g.${name}`))
)

/** Errors of several projects: the one whose id, or whose event's id, is the text, or else the latest that contain it. */
export async function findGroupsByText(em: EntityManager, projectIds: number[], text: string, limit: number) {
  const byId = await findGroupsById(em, projectIds, text)

  return byId.length > 0 || text === '' ? byId : findGroupsWith(em, projectIds, text, limit)
}

function findGroupsById(em: EntityManager, projectIds: number[], text: string) {
  const eventId = parseEventId(text)

  if (/^\d{1,15}$/.test(text))
    return selectGroups(em, sql`error_groups g WHERE g.id = ${text} AND g.project_id = ANY (${projectIds}::bigint[])`)
  if (!eventId) return []

  return selectGroups(
    em,
    sql`error_groups g WHERE g.id IN (
      SELECT group_id FROM error_events WHERE project_id = ANY (${projectIds}::bigint[]) AND event_id = ${eventId} LIMIT 1)`
  )
}

/** The error with an event; of a merged one, the error that it was merged into. */
export async function findGroupByEvent(em: EntityManager, projectId: number, eventId: string) {
  const { rows } = await sql<{ id: number }>`
    SELECT coalesce(g.merged_into, g.id) AS id FROM error_events e JOIN error_groups g ON g.id = e.group_id
    WHERE e.project_id = ${projectId} AND e.event_id = ${eventId} LIMIT 1`.execute(em.getKysely())

  return rows[0]?.id
}

/** A frequent text matches a large part of a project: of these, so many are compared. */
const maxMatches = 200

/** Errors of several projects that contain the text, the latest of `maxMatches`. */
export function findGroupsWith(em: EntityManager, projectIds: number[], text: string, limit: number) {
  const terms = trigramsOf(text)

  return selectGroups(
    em,
    sql`unnest(${projectIds}::bigint[]) AS p (id) CROSS JOIN LATERAL (
      SELECT group_id FROM error_searches s
      WHERE ${hasText(text)} AND error_terms(s.project_id, s.words) @> (SELECT array_agg(p.id || ' ' || term) FROM unnest(${terms}::text[]) term)
      LIMIT ${maxMatches}
    ) s JOIN error_groups g ON g.id = s.group_id ORDER BY g.last_seen_at DESC LIMIT ${limit}`
  )
}

/** Unresolved errors of several projects that are new or came back, the latest first. */
export async function findGroupNews(em: EntityManager, projectIds: number[], since: Date, limit: number) {
  const time = since.toISOString()
  const created = await findUnresolved(em, projectIds, limit, sql`first_seen_at >= ${time}`, sql`first_seen_at`)
  const regressed = await findUnresolved(em, projectIds, limit, sql`regressed_at >= ${time} AND first_seen_at < ${time}`)

  return [...created, ...regressed].sort((a, b) => newsTime(b) - newsTime(a)).slice(0, limit)
}

/** Unresolved errors that a user, or one of their groups, has. */
export async function findAssignedGroups(em: EntityManager, projectIds: number[], userId: number, limit: number) {
  const isOfOwnGroup = sql`assignee_group_id IS NOT NULL AND EXISTS (
    SELECT FROM namespaces n JOIN memberships m ON m.user_id = ${userId} AND m.group_id = ANY (n.lineage) AND ${isActiveMembership}
    WHERE n.id = assignee_group_id)`
  const own = await findUnresolved(em, projectIds, limit, sql`assignee_id = ${userId}`)
  const shared = await findUnresolved(em, projectIds, limit, isOfOwnGroup)

  return [...own, ...shared].sort((a, b) => b.last_seen_at.getTime() - a.last_seen_at.getTime()).slice(0, limit)
}

function newsTime({ regressed_at: regressedAt, first_seen_at: firstSeenAt }: FoundGroup) {
  return (regressedAt ?? firstSeenAt).getTime()
}

/** Reads no more groups of each project than it returns, if an index has the order and the condition. */
function findUnresolved(em: EntityManager, projectIds: number[], limit: number, condition: RawBuilder<unknown>, order = sql`last_seen_at`) {
  return selectGroups(
    em,
    sql`unnest(${projectIds}::bigint[]) AS p (id) CROSS JOIN LATERAL (
      SELECT * FROM error_groups WHERE project_id = p.id AND status = 'unresolved' AND merged_into IS NULL AND ${condition}
      ORDER BY ${order} DESC, id DESC LIMIT ${limit}
    ) g ORDER BY g.${order} DESC LIMIT ${limit}`
  )
}

/** Selects groups from a source with the alias `g`. */
export async function selectGroups(em: EntityManager, source: RawBuilder<unknown>) {
  const { rows } = await sql<FoundGroup>`SELECT ${columns} FROM ${source}`.execute(em.getKysely())

  return rows
}
