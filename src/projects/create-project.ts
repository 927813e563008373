import { recordActivity } from '#activity/activity-store.ts'
import { type Actor, publishAuditEvent } from '#audit/record-audit-event.ts'
import { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { type InstanceDefaults, readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { Forbidden, ValidationFailed } from '#lib/refusals.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { checkPath, claimPath, lockPaths, toPath } from '#namespaces/paths.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { addRepository, type RepositoryLocation } from '#repositories/find-repository.ts'
import type { SpamCheck } from '#spam/spam-check.ts'
import { checkBranchName } from './default-branch.ts'
import { Member, Role } from './members/member.ts'
import { roleInGroup } from './members/member-store.ts'
import { isExternalPerson } from './members/roles.ts'
import { Project, type ProjectChanges } from './project.ts'

export interface NewProject extends ProjectChanges {
  path?: string
  namespaceId?: number
  /** Where its repository will lie. */
  storage: string
  /** Creates the repository with its first commit. */
  initialize?: (project: Project) => Promise<RepositoryLocation>
  /** Needed for public projects. */
  spam?: SpamCheck
}

/** Creates a project in a namespace, by default the creator's. The creator becomes at least a maintainer. */
export async function createProject(em: EntityManager, creator: Viewer, input: NewProject, by: Actor = { user: creator, ip: '127.0.0.1' }) {
  const { namespaceId, name = input.path ?? '', path = toPath(name), storage, initialize, spam, ...settings } = input

  if (isExternalPerson(creator)) throw new Forbidden()
  checkPath(path)
  checkBranchName(settings.defaultBranch)
  const defaults = await readInstanceSettings(em)

  if ((settings.visibility ?? defaults.defaultProjectVisibility) === 'public')
    await spam?.check({ kind: 'project', title: name, text: settings.description ?? '' })

  return em.transactional(async em => {
    await lockPaths(em)
    const { namespace, role } = await findNamespace(em, creator, namespaceId)
    const fullPath = `${namespace.fullPath}/${path}`

    namespace.checkVisibility(settings.visibility)
    await checkProjectsLimit(em, namespace)
    await claimPath(em, fullPath)
    const project = em.create(Project, { namespace, creator: em.getReference(User, creator.id), name, path, fullPath })

    project.change({ ...settings, ...withDefaults(settings, namespace, defaults) })
    if (namespace.ownerId) em.create(Member, { project, user: namespace.ownerId, accessLevel: Role.owner })
    else if (role < Role.maintainer) em.create(Member, { project, user: project.creator!, accessLevel: Role.maintainer })
    await em.flush()
    addRepository(em, { projectId: project.id }, (await initialize?.(project)) ?? { storage })
    await spam?.remember(em)
    await publishAuditEvent(em, by, { name: 'project_created', entity: project.audited(), details: { visibility: project.visibility } })
    await recordActivity(em, {
      projectId: project.id,
      authorId: creator.id,
      action: 'created',
      target: { type: 'Project', id: project.id, title: project.name }
    })

    return project
  })
}

function withDefaults({ visibility, defaultBranch }: ProjectChanges, namespace: Namespace, defaults: InstanceDefaults) {
  return {
    visibility: visibility ?? namespace.narrow(defaults.defaultProjectVisibility),
    defaultBranch: defaultBranch ?? namespace.defaultBranch ?? (defaults.defaultBranchName || undefined)
  }
}

/** The owner of a personal namespace has a limit. The caller has locked the paths, so that the count holds. */
export async function checkProjectsLimit(em: EntityManager, namespace: Namespace) {
  const limit = await reachedLimit(em, namespace)

  if (limit !== undefined) throw new ValidationFailed({ limit_reached: [`The limit of ${limit} personal projects is reached.`] })
}

/** The limit of personal projects, if a namespace has no room for another one. Groups have none. */
export async function reachedLimit(em: EntityManager, namespace: Namespace) {
  const owner = await em.findOne(User, { id: namespace.ownerId ?? 0 })

  return owner && (await em.count(Project, { namespace, markedForDeletionAt: null })) >= owner.projectsLimit
    ? owner.projectsLimit
    : undefined
}

/** The namespace and the creator's role in it; developers may create projects. */
async function findNamespace(em: EntityManager, creator: Viewer, id?: number) {
  const namespace = await em.findOne(Namespace, id ? { id } : { kind: 'user', ownerId: creator.id })
  const role = namespace ? await roleInNamespace(em, creator, namespace) : 0

  if (!namespace || role < Role.developer) throw new ValidationFailed({ namespace: ['is not valid'] })
  namespace.checkWritable()

  return { namespace, role }
}

async function roleInNamespace(em: EntityManager, creator: Viewer, namespace: Namespace) {
  if (creator.isAdmin || namespace.ownerId === creator.id) return Role.owner

  return namespace.kind === 'group' ? roleInGroup(em, creator, namespace.id) : 0
}
