import { sql } from 'kysely'
import type { Static } from 'typebox'
import { toTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import type { MemberSource } from '../members/member-source.ts'
import { type MilestonesQuery, milestoneJson } from './milestone-schemas.ts'

export type MilestoneFilter = Omit<Static<typeof MilestonesQuery>, 'page' | 'per_page'> & { id?: number }

/** The milestones of a project or group, the next one first. */
export function listMilestones(em: EntityManager, source: Pick<MemberSource, 'type' | 'id' | 'ancestorIds'>, filter: MilestoneFilter) {
  const milestones = em
    .getKysely<Tables>()
    .selectFrom('milestones as m')
    .where(allOf(isOf(source, filter.include_ancestors ?? filter.include_parent_milestones ?? false), matches(filter)))

  return selectList(em, {
    from: milestones,
    load: page => selectAs(page, milestoneJson('m')),
    keys: ['m.due_date', 'm.title', 'm.id']
  })
}

function isOf({ type, id, ancestorIds }: Pick<MemberSource, 'type' | 'id' | 'ancestorIds'>, isInherited: boolean) {
  const isOwn = type === 'Project' ? sql`m.project_id = ${id}` : sql`m.group_id = ${id}`

  return isInherited ? sql`(${isOwn} OR m.group_id = ANY (${ancestorIds}::bigint[]))` : isOwn
}

function matches(filter: MilestoneFilter) {
  const text = filter.search?.trim() && containing(filter.search.trim())
  const title = filter.search_title?.trim() && containing(filter.search_title.trim())
  const [after, before, day] = [toTime(filter.updated_after), toTime(filter.updated_before), toTime(filter.containing_date)]

  return allOf(
    filter.id !== undefined && sql`m.id = ${filter.id}`,
    filter.iids && sql`m.iid = ANY (${filter.iids}::bigint[])`,
    filter.state && filter.state !== 'all' && sql`m.state = ${filter.state}`,
    filter.title !== undefined && sql`m.title = ${filter.title}`,
    text && sql`(m.title ILIKE ${text} OR m.description ILIKE ${text})`,
    title && sql`m.title ILIKE ${title}`,
    after && sql`m.updated_at >= ${after}`,
    before && sql`m.updated_at <= ${before}`,
    day &&
      sql`coalesce(m.start_date, m.due_date) IS NOT NULL AND coalesce(m.start_date, '-infinity') <= ${day}::timestamptz::date
        AND coalesce(m.due_date, 'infinity') >= ${day}::timestamptz::date`
  )
}
