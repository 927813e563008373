import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { isVisibleIssue } from './find-visible-issues.ts'

/** A row of `issues` is one that the viewer sees; not of a read-only project unless these count, too. */
export async function isSeen(em: EntityManager, viewer: Viewer, isNotArchived = true) {
  return sql`EXISTS (SELECT FROM projects p WHERE p.id = issues.project_id AND ${await isVisibleIssue(em, viewer, 'issues')}
    ${isNotArchived ? sql`AND p.read_only_reason IS NULL` : sql``})`
}

/** A row of `issues` is of a project in the group or its descendants. */
export function isInGroup(groupId: number) {
  return sql`project_id IN (SELECT g.id FROM projects g JOIN namespaces n ON n.id = g.namespace_id
    WHERE n.lineage @> ARRAY[${groupId}::bigint])`
}
