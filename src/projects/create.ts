import { type Actor, record } from '../audit/record.ts'
import { ValidationFailed } from '../http/problems.ts'
import { User } from '../identity/user.ts'
import type { EntityManager } from '../platform/database.ts'
import { Member, Role } from './member.ts'
import { Namespace } from './namespace.ts'
import { checkPath, claimPath, lockPaths, toPath } from './paths.ts'
import { Project, type ProjectChanges } from './project.ts'
import { roleInGroup } from './roles.ts'

export interface NewProject extends ProjectChanges {
  path?: string
  namespaceId?: number
}

/** Makes a project in the creator's own space, or in the one that is named. In one's own, one is a member of it, too. */
export async function createProject(em: EntityManager, creator: User, wanted: NewProject, by: Actor = { user: creator, ip: '127.0.0.1' }) {
  const { namespaceId, name = wanted.path ?? '', path = toPath(name), ...settings } = wanted

  checkPath(path)

  return em.transactional(async em => {
    await lockPaths(em)
    const namespace = await findNamespace(em, creator, namespaceId)
    const fullPath = `${namespace.fullPath}/${path}`

    namespace.checkVisibility(settings.visibility)
    await claimPath(em, fullPath)
    const project = em.create(Project, { namespace, creator: em.getReference(User, creator.id), name, path, fullPath })

    project.change(settings)
    if (namespace.owner) em.create(Member, { project, user: namespace.owner, accessLevel: Role.owner })
    await em.flush()
    record(em, by, { name: 'project_created', entity: project.audited(), details: { visibility: project.visibility } })

    return project
  })
}

async function findNamespace(em: EntityManager, creator: User, id?: number) {
  const namespace = await em.findOne(Namespace, id ? { id } : { kind: 'user', owner: creator.id })

  if (!namespace || !(await mayCreateIn(em, creator, namespace))) throw new ValidationFailed({ namespace: ['is not valid'] })

  return namespace
}

async function mayCreateIn(em: EntityManager, creator: User, namespace: Namespace) {
  if (creator.isAdmin) return true
  if (namespace.kind === 'user') return namespace.owner?.id === creator.id

  return (await roleInGroup(em, creator, namespace.id)) >= Role.developer
}
