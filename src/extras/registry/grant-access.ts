import { raw } from '@mikro-orm/core'
import type { Viewer } from '#identity/viewer.ts'
import type { Caller } from '#lib/caller.ts'
import type { Version } from '#lib/deprecations/stages.ts'
import { Refusal } from '#lib/refusals.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProjectAndRoles } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { effectiveRole } from '#projects/members/roles.ts'
import { Project } from '#projects/project.ts'
import { checkJobToken } from '#projects/tokens/check-job-token.ts'
import type { DeployToken } from '#projects/tokens/deploy-token.ts'
import { canReadCode } from '#projects/visibility/can-read-code.ts'
import { ImageRepository } from './image-repository.ts'
import { recordRepository } from './image-store.ts'
import type { Wish } from './read-scopes.ts'
import type { Access, Action } from './sign-token.ts'

export interface Bearer {
  caller?: Caller | undefined
  deployToken?: DeployToken | undefined
}

const pullScopes = ['api', 'read_registry', 'write_registry']
const pushScopes = ['api', 'write_registry']

/** What of a wish is granted: nothing when the project is not there or hidden. A push makes the repository known. */
export async function grantAccess(
  em: EntityManager,
  version: Version,
  bearer: Bearer,
  { path, actions }: Wish
): Promise<Access | undefined> {
  const project = await findImageProject(em, path)
  const allowed = project ? await allowedActions(em, version, bearer, project) : []
  const granted = actions.filter(action => allowed.includes(action))

  if (!project || granted.length === 0) return undefined
  if (granted.includes('push')) await recordRepository(em, project.id, path)

  return { type: 'repository', name: path, actions: granted }
}

async function allowedActions(em: EntityManager, version: Version, { caller, deployToken }: Bearer, project: Project): Promise<Action[]> {
  if (deployToken) return deployTokenActions(em, deployToken, project)
  const role = await roleIn(em, version, caller, project)
  const scopes = caller?.scopes ?? 'all'
  const mayPull = role !== undefined && canReadCode(project, role) && (scopes === 'all' || scopes.some(scope => pullScopes.includes(scope)))
  const mayPush =
    mayPull && role >= Role.developer && !project.readOnlyReason && (scopes === 'all' || scopes.some(scope => pushScopes.includes(scope)))

  return mayPush ? ['pull', 'push', 'delete'] : mayPull ? ['pull'] : []
}

/** Undefined where the project is hidden from the caller. */
async function roleIn(em: EntityManager, version: Version, caller: Caller | undefined, project: Project) {
  const viewer = caller?.user as Viewer | undefined

  try {
    const { roles } = await findProjectAndRoles(em, viewer, String(project.id))

    await checkJobToken(em, version, caller, project)

    return viewer?.isAdmin ? Role.owner : effectiveRole(viewer, roles)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

async function deployTokenActions(em: EntityManager, token: DeployToken, project: Project): Promise<Action[]> {
  const { lineage } = await em.findOneOrFail(Namespace, { id: project.namespace.id })

  if (!token.covers({ id: project.id, lineage })) return []
  if (token.scopes.includes('write_registry')) return project.readOnlyReason ? ['pull'] : ['pull', 'push']

  return token.scopes.includes('read_registry') ? ['pull'] : []
}

/**
 * The project that a path in the registry belongs to: that of the known repository, else the project whose path it begins with. Undefined
 * while images of a deleted project are there.
 */
async function findImageProject(em: EntityManager, path: string) {
  const repository = await em.findOne(ImageRepository, { path })

  if (repository)
    return repository.projectId === null || repository.isDeleting ? undefined : em.findOne(Project, { id: repository.projectId! })
  const projects = await em.find(Project, { [raw('lower(full_path)')]: { $in: beginningsOf(path) } })

  // At most one: no project lies within another.
  return projects[0]
}

/** The paths of at least two segments that begin a path. */
function beginningsOf(path: string) {
  const segments = path.split('/')

  return segments.slice(1).map((_, n) => segments.slice(0, n + 2).join('/'))
}
