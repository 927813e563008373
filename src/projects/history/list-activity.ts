import { type Expression, sql } from 'kysely'
import type { Action, TargetName } from '#activity/actions.ts'
import { targetTypes } from '#activity/actions.ts'
import type { Viewer } from '#identity/viewer.ts'
import { toTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import { personJson } from '../members/assignees.ts'
import { Role } from '../members/member.ts'
import { isWithin, membershipsOf } from '../visibility/membership-store.ts'
import type { ActivityRow } from './present-activity.ts'

export interface ActivityFilter {
  action?: Action
  target_type?: TargetName
  before?: string
  after?: string
  sort?: 'asc' | 'desc'
}

/** Activity in a project, for a viewer with this role in it. */
export function projectActivity(em: EntityManager, projectId: number, role: number, filter: ActivityFilter) {
  const scope = allOf(
    sql`e.project_id = ${projectId}`,
    role < Role.developer && sql`NOT e.is_for_developers`,
    role < Role.reporter && isNotConfidential
  )

  return listActivity(em, scope, filter)
}

/** Activity of a user in projects that the viewer sees. */
export async function userActivity(em: EntityManager, viewer: Viewer | undefined, authorId: number, filter: ActivityFilter) {
  return listActivity(em, sql`e.author_id = ${authorId} AND ${await isVisible(em, viewer)}`, filter)
}

/** Activity of all users in the viewer's projects. */
export async function memberProjectsActivity(em: EntityManager, viewer: Viewer, filter: ActivityFilter) {
  const isMember = isWithin(await membershipsOf(em, viewer), 'p')

  return listActivity(em, sql`${isMember} AND ${await isVisible(em, viewer)}`, filter)
}

/** Neither on a confidential issue nor on a comment on one. */
const isNotConfidential = sql`NOT EXISTS (SELECT FROM issues c WHERE c.project_id = e.project_id AND c.is_confidential
  AND (e.target_type = 'Issue' AND c.id = e.target_id OR e.note->>'noteable_type' = 'Issue' AND e.note->>'noteable_id' = c.id::text))`

/** Activity on errors is visible to developers only, that on confidential issues to reporters. */
async function isVisible(em: EntityManager, viewer: Viewer | undefined) {
  if (viewer?.isAdmin) return sql`true`
  if (!viewer) return sql`(p.visibility = 'public' AND NOT e.is_for_developers AND ${isNotConfidential})`
  const isMember = isWithin(await membershipsOf(em, viewer), 'p')
  const isReporter = isWithin(await membershipsOf(em, viewer, Role.reporter), 'p')
  const isDeveloper = isWithin(await membershipsOf(em, viewer, Role.developer), 'p')
  const isOpen = viewer.isExternal ? sql`p.visibility = 'public'` : sql`p.visibility <> 'private'`

  return sql`CASE WHEN e.is_for_developers THEN ${isDeveloper} ELSE ${isReporter} OR (${isOpen} OR ${isMember}) AND ${isNotConfidential} END`
}

declare module '#platform/database/database.ts' {
  interface Tables {
    activity_events: { id: number; project_id: number; author_id: number | null; created_at: Date }
  }
}

function listActivity(em: EntityManager, scope: Expression<unknown>, { action, target_type, sort = 'desc', ...filter }: ActivityFilter) {
  const before = startOfDay(filter.before)
  const after = startOfDay(filter.after)
  const db = em.getKysely<Tables>()
  const events = db
    .selectFrom('activity_events as e')
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .where(
      allOf(
        scope,
        action && sql`e.action = ${action}`,
        target_type && sql`e.target_type = ${targetTypes[target_type]}`,
        before && sql`e.created_at < ${before}`,
        after && sql`e.created_at >= ${after}::timestamptz + interval '1 day'`
      )
    )

  return selectList(em, {
    from: events,
    load: (page, { inOrder }) =>
      selectAs(
        inOrder(
          db
            .selectFrom(page.selectAll('e').as('e'))
            .leftJoin('users as u', 'u.id', 'e.author_id')
            // The author was deleted.
            .leftJoin('users as g', join => join.on('g.kind', '=', 'ghost').on('u.id', 'is', null).on('e.author_id', 'is not', null))
        ),
        sql<ActivityRow>`to_jsonb(e) || jsonb_build_object('author', coalesce(${personJson('u')}, ${personJson('g')}))`
      ),
    keys: [
      { sql: 'e.created_at', sort },
      { sql: 'e.id', sort }
    ]
  })
}

function startOfDay(text: string | undefined) {
  return toTime(text?.slice(0, 10))?.toISOString()
}
