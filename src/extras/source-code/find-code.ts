import type { Viewer } from '#identity/viewer.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import { findProjectAndRoles } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { effectiveRole } from '#projects/members/roles.ts'
import type { Project } from '#projects/project.ts'
import { canReadCode } from '#projects/visibility/can-read-code.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'
import type { Repository } from '#repositories/repository.ts'

export interface Code {
  project: Project
  /** The viewer's. */
  role: number
  repository: Repository
  /** Undefined while nothing was pushed. */
  repo: GitDirectory | undefined
}

/** The code of a project, for those who may read it. Guests of a private project may not. */
export async function findCode(
  em: EntityManager,
  git: Git,
  viewer: Viewer | undefined,
  id: string,
  minRole: number = Role.guest
): Promise<Code> {
  const { project, roles } = await findProjectAndRoles(em, viewer, id, minRole)
  const role = effectiveRole(viewer, roles)

  if (!canReadCode(project, role)) throw new Forbidden()
  const repository = await findRepository(em, { projectId: project.id })
  const directory = await openRepository(git, repository)

  return { project, role, repository, repo: directory === undefined ? undefined : new GitDirectory(git, directory) }
}
