import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, containing, escapeLike } from '#platform/database/filter.ts'
import { isAny } from '#projects/members/assignees.ts'
import { type AssigneeFilter, isUser } from './assignee-filter.ts'
import type { GroupCondition, TextMatch } from './group-condition.ts'

type Sql = RawBuilder<SqlBool>

const columns = { firstSeenAt: 'first_seen_at', lastSeenAt: 'last_seen_at' } as const

/** The condition on a row `g` of `error_groups`. It is never null, so that it can be negated. */
export function meets(condition: GroupCondition, projectId: number): Sql {
  if ('all' in condition) return allOf(sql`true`, ...condition.all.map(one => meets(one, projectId))) as Sql
  if ('any' in condition)
    return sql`(${sql.join(
      condition.any.map(one => meets(one, projectId)),
      sql` OR `
    )})`
  if ('not' in condition) return sql`NOT ${meets(condition.not, projectId)}`

  return sql`(${leaf(condition, projectId)}) IS TRUE`
}

type Leaf = Exclude<GroupCondition, { all: unknown } | { any: unknown } | { not: unknown }>

function leaf(condition: Leaf, projectId: number): RawBuilder<unknown> {
  if ('words' in condition)
    return sql`SELECT true FROM error_searches s WHERE s.group_id = g.id AND s.words LIKE lower(${containing(condition.words)})`
  if ('status' in condition) return sql`g.status = ${condition.status}`
  if ('assignee' in condition) return hasAssignee(condition.assignee)
  if ('priority' in condition) return sql`g.priority = ${condition.priority}`
  if ('isRegressed' in condition) return sql`g.regressed_at IS NOT NULL`
  if ('seen' in condition) return sql`g.${sql.ref(columns[condition.seen])} ${sql.raw(condition.comparison)} ${condition.at.toISOString()}`
  if ('count' in condition) return sql`g.${sql.ref(condition.count)} ${sql.raw(condition.comparison)} ${condition.than}`
  if ('ids' in condition) return sql`g.id = ANY (${condition.ids}::bigint[])`
  if ('field' in condition) return matches(fields[condition.field], condition.match)
  if ('place' in condition) return hasPlace(condition, projectId)
  if ('tag' in condition) return hasTag(condition, projectId)
  if ('among' in condition) return sql`g.${sql.ref(condition.list)} && ${condition.among}::text[]`

  return sql`EXISTS (SELECT FROM unnest(g.${sql.ref(condition.list)}) v WHERE ${matches(sql`v`, condition.match)})`
}

const fields: Record<Extract<GroupCondition, { field: unknown }>['field'], RawBuilder<unknown>> = {
  title: sql`CASE WHEN g.is_message THEN g.description ELSE g.name || ': ' || g.description END`,
  type: sql`CASE WHEN g.is_message THEN NULL ELSE g.name END`,
  description: sql`g.description`,
  platform: sql`g.platform`,
  level: sql`g.level`,
  first_release: sql`g.first_release`
}

export function hasAssignee(assignee: AssigneeFilter) {
  if (isUser(assignee)) return sql`g.assignee_id = ${assignee}`
  if (typeof assignee === 'object') {
    const isOfGroup = sql`g.assignee_group_id = ANY (${assignee.groupIds}::bigint[])`

    return assignee.userId === undefined ? isOfGroup : sql`(g.assignee_id = ${assignee.userId} OR ${isOfGroup})`
  }

  return isAny(assignee)
    ? sql`(g.assignee_id IS NOT NULL OR g.assignee_group_id IS NOT NULL)`
    : sql`(g.assignee_id IS NULL AND g.assignee_group_id IS NULL)`
}

function hasPlace({ place, match }: Extract<GroupCondition, { place: unknown }>, projectId: number) {
  const name = sql`substr(p.place, ${place.length + 2})`

  return sql`EXISTS (SELECT FROM error_places p WHERE p.project_id = ${projectId} AND p.group_id = g.id AND p.place LIKE ${`${place} %`} AND ${matches(name, match)})`
}

function hasTag({ tag, match }: Extract<GroupCondition, { tag: unknown }>, projectId: number) {
  if (match?.how === 'equal')
    return sql`SELECT true FROM error_tags t WHERE t.project_id = ${projectId} AND t.tag = ${`${tag}=${match.text}`} AND t.group_id = g.id`
  const pattern = `${escapeLike(tag)}=${match ? patternOf(match) : '%'}`

  return sql`EXISTS (SELECT FROM error_tags t WHERE t.group_id = g.id AND t.tag LIKE ${pattern})`
}

/** Case counts for what is equal, as in tags; patterns and parts are found in any case. */
function matches(value: RawBuilder<unknown>, match: TextMatch) {
  return match.how === 'equal' ? sql`${value} = ${match.text}` : sql`lower(${value}) LIKE lower(${patternOf(match)})`
}

function patternOf({ text, how }: TextMatch) {
  if (how === 'contained') return containing(text)

  return how === 'pattern' ? text.split('*').map(escapeLike).join('%') : escapeLike(text)
}

/** The ids of groups that an index finds for the condition; undefined when none does. They may be more than those that meet it. */
export function sourceOf(condition: GroupCondition, projectId: number): RawBuilder<unknown> | undefined {
  if ('all' in condition) return condition.all.map(one => sourceOf(one, projectId)).find(Boolean)
  if ('any' in condition) {
    const sources = condition.any.map(one => sourceOf(one, projectId))

    return sources.every(source => source !== undefined)
      ? sql.join(
          sources.map(source => sql`(${source})`),
          sql` UNION `
        )
      : undefined
  }
  if ('ids' in condition) return sql`SELECT unnest(${condition.ids}::bigint[])`
  if ('tag' in condition && condition.match?.how === 'equal') {
    return sql`SELECT group_id FROM error_tags WHERE project_id = ${projectId} AND tag = ${`${condition.tag}=${condition.match.text}`}`
  }
  if ('place' in condition && condition.match.how === 'equal') {
    return sql`SELECT group_id FROM error_places WHERE project_id = ${projectId} AND place = ${`${condition.place} ${condition.match.text}`}`
  }

  return undefined
}
