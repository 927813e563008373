import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { isNamespaceWithin } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import { Role } from '../members/member.ts'
import type { MemberSource } from '../members/member-source.ts'

export interface LabelRow {
  id: number
  name: string
  description: string | null
  color: string
  project_id: number | null
  subscribed: boolean
  /** In the project of the list. */
  priority: number | null
  counts: { open_issues_count: number; closed_issues_count: number } | null
}

export interface LabelFilter {
  /** An id or a name. */
  label?: string
  search?: string
  isInherited?: boolean
  isCounted?: boolean
}

/** The labels that a project or group can use, by name. */
export function listLabels(em: EntityManager, source: MemberSource, viewer: Viewer, filter: LabelFilter) {
  const projectId = source.type === 'Project' ? source.id : null
  const labels = em
    .getKysely<Tables>()
    .selectFrom('labels as l')
    .where(allOf(isOf(source, filter.isInherited ?? true), matches(filter)))
  const isCounted = filter.isCounted && source.role >= Role.reporter

  return selectList(em, {
    from: labels,
    load: page =>
      selectAs(
        page,
        sql<LabelRow>`to_jsonb(l) || jsonb_build_object(
        'subscribed', EXISTS (SELECT FROM label_subscriptions s WHERE s.label_id = l.id AND s.user_id = ${viewer.id}),
        'priority', (SELECT priority FROM label_priorities p WHERE p.label_id = l.id AND p.project_id = ${projectId}),
        'counts', ${isCounted ? countsOf(source) : sql`NULL`})`
      ),
    keys: ['l.name', 'l.id']
  })
}

/** A row `l` belongs to the project or group, or to a group above it. */
export function isOf({ type, id, ancestorIds }: MemberSource, isInherited: boolean) {
  const isOwn = type === 'Project' ? sql`l.project_id = ${id}` : sql`l.group_id = ${id}`

  return isInherited ? sql`(${isOwn} OR l.group_id = ANY (${ancestorIds}::bigint[]))` : isOwn
}

function matches({ label, search }: LabelFilter) {
  const text = search?.trim()
  const isId = label !== undefined && /^\d{1,15}$/.test(label)

  return allOf(
    label !== undefined && (isId ? sql`(l.id = ${label} OR l.name = ${label})` : sql`l.name = ${label}`),
    text && sql`(l.name ILIKE ${containing(text)} OR l.description ILIKE ${containing(text)})`
  )
}

function countsOf({ type, id }: MemberSource) {
  const isHere =
    type === 'Project'
      ? sql`i.project_id = ${id}`
      : sql`i.project_id IN (SELECT id FROM projects WHERE namespace_id IN (SELECT id FROM namespaces WHERE ${isNamespaceWithin(id)}))`

  return sql`(SELECT jsonb_build_object('open_issues_count', count(*) FILTER (WHERE i.state = 'opened'),
      'closed_issues_count', count(*) FILTER (WHERE i.state = 'closed'))
    FROM issue_labels x JOIN issues i ON i.id = x.issue_id WHERE x.label_id = l.id AND ${isHere})`
}
