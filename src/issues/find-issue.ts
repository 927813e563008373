import { NotFound } from '../http/problems/problems.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { findProject } from '../projects/find-project.ts'
import { Role } from '../projects/members/member.ts'
import type { Project } from '../projects/project.ts'
import { Issue } from './issue.ts'

/** Issues are visible to reporters and above, in projects with issues enabled. */
export async function findIssueProject(em: EntityManager, viewer: Viewer, idOrPath: string) {
  const project = await findProject(em, viewer, idOrPath, Role.reporter)

  checkIssuesEnabled(project)

  return project
}

export function checkIssuesEnabled({ issuesAccessLevel }: Project) {
  if (issuesAccessLevel === 'disabled') throw new NotFound()
}

export async function findIssue(em: EntityManager, viewer: Viewer, { id, issue_iid: iid }: { id: string; issue_iid: number }) {
  const project = await findIssueProject(em, viewer, id)
  const issue = await em.findOne(Issue, { projectId: project.id, iid })

  if (!issue) throw new NotFound('Issue')

  return { project, issue }
}
