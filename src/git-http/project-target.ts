import type { Viewer } from '#identity/viewer.ts'
import type { Version } from '#lib/deprecations/stages.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProjectAndRoles } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { effectiveRole } from '#projects/members/roles.ts'
import type { Project } from '#projects/project.ts'
import { checkJobToken } from '#projects/tokens/check-job-token.ts'
import { findCoveredProject } from '#projects/tokens/find-covered-project.ts'
import { canReadCode } from '#projects/visibility/can-read-code.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { acceptPush } from './accept-push.ts'
import type { TargetKind, TargetRequest } from './git-target.ts'
import { recordDownload } from './record-download.ts'

/** The code of a project, at the path of the project. */
export const projectTarget: TargetKind = {
  table: 'projects',
  async find(platform, request) {
    // A number alone would be an id.
    if (!request.path.includes('/')) return undefined
    const em = platform.fork()
    const { project, role } = request.deployToken
      ? { project: await findCoveredProject(em, request.deployToken, request.path), role: Role.reporter }
      : await findUserProject(em, platform.config, request)

    return {
      repository: await findRepository(em, { projectId: project.id }),
      defaultBranch: project.defaultBranch,
      mayForce: role >= Role.maintainer,
      recordDownload: actor => recordDownload(platform.fork(), platform.config, actor, project),
      acceptPush: push => acceptPush(platform, { project, ...push })
    }
  }
}

async function findUserProject(em: EntityManager, config: Version, { caller, path, operation }: TargetRequest) {
  const viewer = caller?.user as Viewer | undefined
  const { project, roles } = await findProjectAndRoles(em, viewer, path)
  const role = effectiveRole(viewer, roles)

  await checkJobToken(em, config, caller, project)
  if (!canReadCode(project, role)) throw new Forbidden('you are not allowed to read the code of this project')
  if (operation === 'write') checkMayPush(project, role)

  return { project, role }
}

function checkMayPush(project: Project, role: number) {
  if (role < Role.developer) throw new Forbidden('you are not allowed to push to this project; this requires the Developer role')
  checkWritable(project)
}
