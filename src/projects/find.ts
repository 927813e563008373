import { Forbidden, NotFound } from '../http/problems.ts'
import type { User } from '../identity/user.ts'
import type { EntityManager } from '../platform/database.ts'
import { Member, Role } from './member.ts'
import { Project } from './project.ts'

/** A project by id or path, for somebody who has at least this role in it. What one may not see is not found. */
export async function findProject(em: EntityManager, viewer: User, idOrPath: string, least: number = Role.guest) {
  const project = await em.findOne(Project, /^\d{1,15}$/.test(idOrPath) ? { id: Number(idOrPath) } : { fullPath: idOrPath })

  if (!project) throw new NotFound('Project')
  if (viewer.isAdmin) return project

  const member = await em.findOne(Member, { project, user: viewer })
  const level = member?.accessLevel ?? 0

  if (!member && project.visibility === 'private') throw new NotFound('Project')
  if (level < least) throw new Forbidden()

  return project
}
