import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import type { Project } from '#projects/project.ts'
import { findCiProject } from '../find-ci-project.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import { isProtected } from '../plan/target.ts'
import type { Job } from './job.ts'

/** Maintainers delete what any job left, developers only what their own jobs left, and not those of the default branch. */
export async function requireEraser(em: EntityManager, viewer: Viewer, project: Project, { user, pipeline }: Job) {
  const isOwn = user?.id === viewer.id && !isProtected(project, pipeline as Pipeline)

  if (!isOwn) await findCiProject(em, viewer, String(project.id), Role.maintainer)
}
