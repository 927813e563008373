import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { ValidationFailed } from '../http/problems.ts'
import type { User } from '../identity/user.ts'
import type { EntityManager } from '../platform/database.ts'
import { Member, Role } from './member.ts'
import { Namespace, type Visibility } from './namespace.ts'
import { Project } from './project.ts'

export interface NewProject {
  name?: string
  path?: string
  description?: string | null
  visibility?: Visibility
  namespaceId?: number
}

/** Makes a project in the creator's own space, or in the one that is named, and its creator its owner. */
export async function createProject(em: EntityManager, creator: User, wanted: NewProject) {
  const name = wanted.name ?? wanted.path ?? ''
  const path = wanted.path ?? toPath(name)

  checkPath(path)
  const namespace = await findNamespace(em, creator, wanted.namespaceId)

  try {
    return await em.transactional(async em => {
      const project = em.create(Project, {
        namespace,
        creator,
        name,
        path,
        fullPath: `${namespace.fullPath}/${path}`,
        description: wanted.description,
        visibility: wanted.visibility ?? 'private'
      })

      em.create(Member, { project, user: creator, accessLevel: Role.owner })
      await em.flush()

      return project
    })
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new ValidationFailed({ path: ['has already been taken'] })
    throw error
  }
}

async function findNamespace(em: EntityManager, creator: User, id?: number) {
  const namespace = await em.findOne(Namespace, id ? { id } : { kind: 'user', owner: creator })

  if (!namespace || (namespace.owner?.id !== creator.id && !creator.isAdmin)) throw new ValidationFailed({ namespace: ['is not valid'] })

  return namespace
}

function toPath(name: string) {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
}

function checkPath(path: string) {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/.test(path)) {
    throw new ValidationFailed({
      path: ["can contain only letters, digits, '_', '-' and '.', and must start with a letter, a digit or '_'"]
    })
  }
}
