import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { Role } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { isWithin, membershipsOf } from '#projects/visibility/membership-store.ts'
import { Issue } from '../issue.ts'
import { loadIssues } from '../load-issues.ts'

/**
 * An issue, joined with its project `p`, is visible in projects with issues enabled: to reporters, and in public projects to its
 * author, as `findReadableIssue` has it.
 */
export async function isVisibleIssue(em: EntityManager, viewer: Viewer, issue = 'i') {
  const isEnabled = sql`p.issues_access_level <> 'disabled'`

  if (viewer.isAdmin) return allOf(isEnabled)
  const isReporter = isWithin(await membershipsOf(em, viewer, Role.reporter), 'p')
  const isOwn = sql`p.visibility = 'public' AND p.issues_access_level = 'enabled'
    AND ${sql.ref(`${issue}.author_id`)} = ${viewer.id} AND ${sql.ref(`${issue}.issue_type`)} = 'issue'`

  return allOf(isEnabled, sql`(${isReporter} OR (${isOwn}))`)
}

/** By id, those of the issues that a viewer sees, with their projects. */
export async function findVisibleIssues(em: EntityManager, viewer: Viewer, ids: number[]) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('issues as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select('i.id')
    .where(allOf(sql`i.id = ANY (${ids}::bigint[])`, await isVisibleIssue(em, viewer)))
    .execute()
  const visible = rows.map(({ id }) => id)
  const issues = await em.find(Issue, { id: { $in: visible } })
  const projects = await em.find(Project, { id: { $in: issues.map(({ projectId }) => projectId) } })
  const loaded = new Map((await loadIssues(em, visible)).map(row => [row.id, row]))

  return new Map(
    issues.map(issue => [issue.id, { issue, row: loaded.get(issue.id)!, project: projects.find(({ id }) => id === issue.projectId)! }])
  )
}
