import { type Action, type TargetWord, targetTypes } from '../../activity/actions.ts'
import { readTime } from '../../http/parameters/time.ts'
import type { Viewer } from '../../identity/viewer.ts'
import { Conditions } from '../../platform/database/conditions.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { Role } from '../members/member.ts'
import { reachOf } from '../visibility/visible-groups.ts'
import type { EventRow } from './present-activity.ts'

export interface ActivityFilter {
  action?: Action
  target_type?: TargetWord
  before?: string
  after?: string
  sort?: 'asc' | 'desc'
}

/** What happened in a project, for somebody who sees it and has this role in it. */
export function projectActivity(em: EntityManager, projectId: number, role: number, filter: ActivityFilter) {
  const conditions = new Conditions().add('e.project_id = ?', projectId)

  if (role < Role.developer) conditions.add('NOT e.is_for_developers')

  return activityRows(em, conditions, filter)
}

/** What somebody did, as far as the viewer may see it. */
export async function activityOf(em: EntityManager, viewer: Viewer | undefined, authorId: number, filter: ActivityFilter) {
  const conditions = new Conditions().add('e.author_id = ?', authorId)

  await addSeen(em, conditions, viewer)

  return activityRows(em, conditions, filter)
}

/** What anybody did in the projects that somebody is a member of. */
export async function activityAround(em: EntityManager, viewer: Viewer, filter: ActivityFilter) {
  const { namespaces, projects } = await reachOf(em, viewer)
  const conditions = new Conditions().add(
    'e.project_id IN (SELECT id FROM projects WHERE namespace_id = ANY (?::bigint[]) OR id = ANY (?::bigint[]))',
    namespaces,
    projects
  )

  await addSeen(em, conditions, viewer)

  return activityRows(em, conditions, filter)
}

/** Of projects that the viewer sees; of errors, where the viewer is a developer. */
async function addSeen(em: EntityManager, conditions: Conditions, viewer: Viewer | undefined) {
  if (viewer?.isAdmin) return
  if (!viewer) {
    conditions.add(`p.visibility = 'public' AND NOT e.is_for_developers`)
    return
  }
  const [seen, developed] = [await reachOf(em, viewer), await reachOf(em, viewer, Role.developer)]
  const open = viewer.isExternal ? `p.visibility = 'public'` : `p.visibility <> 'private'`
  const within = 'p.namespace_id = ANY (?::bigint[]) OR p.id = ANY (?::bigint[])'

  conditions.add(`CASE WHEN e.is_for_developers THEN ${within} ELSE ${open} OR ${within} END`, ...pair(developed), ...pair(seen))
}

function pair({ namespaces, projects }: { namespaces: number[]; projects: number[] }) {
  return [namespaces, projects]
}

function activityRows(em: EntityManager, conditions: Conditions, { action, target_type, before, after, sort = 'desc' }: ActivityFilter) {
  const { sql, values } = conditions
    .add('e.action = ?', action)
    .add('e.target_type = ?', target_type && targetTypes[target_type])
    .add('e.created_at < ?', readDay('before', before))
    .add(`e.created_at >= ?::timestamptz + interval '1 day'`, readDay('after', after))
  const from = `activity_events e JOIN projects p ON p.id = e.project_id WHERE ${sql}`

  return {
    list: (limit: number, offset: number) =>
      query<EventRow>(
        em,
        `SELECT e.*, to_jsonb(u) AS author
         FROM (SELECT e.* FROM ${from} ORDER BY e.created_at ${sort}, e.id ${sort} LIMIT ${limit} OFFSET ${offset}) AS e
         LEFT JOIN LATERAL (SELECT id, username, name, state FROM users WHERE users.id = e.author_id) AS u ON true
         ORDER BY e.created_at ${sort}, e.id ${sort}`,
        values
      ),
    async count(most: number) {
      const [row] = await query<{ count: string }>(em, `SELECT count(*) FROM (SELECT FROM ${from} LIMIT ${most}) AS counted`, values)

      return Number(row!.count)
    }
  }
}

/** The beginning of a day, however exact a moment is named. */
function readDay(name: string, given: string | undefined) {
  return readTime(name, given?.slice(0, 10))?.toISOString()
}
