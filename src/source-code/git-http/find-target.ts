import type { Caller } from '../../http/guards/guards.ts'
import { Forbidden, NotFound } from '../../http/problems/problems.ts'
import type { Viewer } from '../../identity/viewer.ts'
import { FormerPath } from '../../namespaces/former-path.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findProjectAndRoles } from '../../projects/find-project.ts'
import { Role } from '../../projects/members/member.ts'
import { effectiveRole } from '../../projects/members/roles.ts'
import type { Project } from '../../projects/project.ts'
import { Archived } from '../../projects/visibility/refuse-archived.ts'
import { findRepository } from '../../repositories/find-repository.ts'
import type { Repository } from '../../repositories/repository.ts'
import { canReadCode } from '../can-read-code.ts'
import { CredentialsNeeded, GitRefusal } from './refusals.ts'

export type Operation = 'read' | 'write'

/** A repository that the caller may read or write. */
export interface GitTarget {
  repository: Repository
  project: Project
  /** Whether the caller may force push to the default branch. */
  mayForce: boolean
}

const scopes = { read: ['api', 'read_repository', 'write_repository'], write: ['api', 'write_repository'] }

/** Finds the repository at a path without `.git`. Who cannot see it does not learn that it exists. */
export async function findTarget(em: EntityManager, caller: Caller | undefined, path: string, operation: Operation): Promise<GitTarget> {
  if (caller) checkCredential(caller, operation)

  try {
    return await findProjectTarget(em, caller?.user as Viewer | undefined, path, operation)
  } catch (error) {
    if (error instanceof FormerPath || !(error instanceof NotFound || error instanceof Forbidden)) throw error
    if (!caller) throw new CredentialsNeeded()
    throw error instanceof NotFound ? new GitRefusal(404, 'The project was not found, or you are not allowed to see it.') : error
  }
}

function checkCredential({ scopes: granted, by }: Caller, operation: Operation) {
  if (granted !== 'all' && !granted.some(scope => scopes[operation].includes(scope)))
    throw new GitRefusal(403, `The token needs one of the scopes ${scopes[operation].join(', ')}.`)
  if (by.kind === 'job' && operation === 'write') throw new Forbidden('a job token cannot push')
}

async function findProjectTarget(em: EntityManager, viewer: Viewer | undefined, path: string, operation: Operation): Promise<GitTarget> {
  // A number alone would be an id.
  if (!path.includes('/')) throw new NotFound('Project')
  const { project, roles } = await findProjectAndRoles(em, viewer, path)
  const role = effectiveRole(viewer, roles)

  if (!canReadCode(project, role)) throw new Forbidden('you are not allowed to read the code of this project')
  if (operation === 'write') checkMayPush(project, role)

  return { repository: await findRepository(em, { projectId: project.id }), project, mayForce: role >= Role.maintainer }
}

function checkMayPush(project: Project, role: number) {
  if (role < Role.developer) throw new Forbidden('you are not allowed to push to this project; the role Developer is needed')
  if (project.isArchived) throw new Archived()
}
