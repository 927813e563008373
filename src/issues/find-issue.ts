import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProject, findProjectAndRoles } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { effectiveRole } from '#projects/members/roles.ts'
import type { Project } from '#projects/project.ts'
import { Issue } from './issue.ts'

/** Issues are visible to reporters and above, in projects with issues enabled. */
export async function findIssueProject(em: EntityManager, viewer: Viewer, idOrPath: string, minRole: number = Role.reporter) {
  const project = await findProject(em, viewer, idOrPath, minRole)

  checkIssuesEnabled(project)

  return project
}

/** Everyone who is signed in may report an issue in a public project. */
export async function findReportableProject(em: EntityManager, viewer: Viewer, idOrPath: string) {
  const { project, roles } = await findProjectAndRoles(em, viewer, idOrPath)
  const isReporter = effectiveRole(viewer, roles) >= Role.reporter

  if (!isReporter && !isReportable(project)) throw new Forbidden()
  checkIssuesEnabled(project)

  return { project, isReporter }
}

/** As `findIssue`; also the authors of issues in public projects see them. */
export async function findReadableIssue(em: EntityManager, viewer: Viewer, { id, issue_iid: iid }: { id: string; issue_iid: number }) {
  const { project, isReporter } = await findReportableProject(em, viewer, id)
  const issue = await em.findOne(Issue, { projectId: project.id, iid })

  if (!isReporter && (issue?.authorId !== viewer.id || issue.issueType !== 'issue')) throw new Forbidden()
  if (!issue) throw new NotFound('Issue')

  return { project, issue }
}

function isReportable({ visibility, issuesAccessLevel }: Project) {
  return visibility === 'public' && issuesAccessLevel === 'enabled'
}

export function checkIssuesEnabled({ issuesAccessLevel }: Project) {
  if (issuesAccessLevel === 'disabled') throw new NotFound()
}

export async function findIssue(
  em: EntityManager,
  viewer: Viewer,
  { id, issue_iid: iid }: { id: string; issue_iid: number },
  minRole: number = Role.reporter
) {
  const project = await findIssueProject(em, viewer, id, minRole)
  const issue = await em.findOne(Issue, { projectId: project.id, iid })

  if (!issue) throw new NotFound('Issue')

  return { project, issue }
}
