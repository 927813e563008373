import type { EntityManager } from '../../platform/database/database.ts'
import { findGroup, findProject } from '../../projects/find-project.ts'
import { Role } from '../../projects/members/member.ts'
import type { Viewer } from '../viewer.ts'

/** A project or group that can have tokens of its own. */
export interface TokenResource {
  type: 'project' | 'group'
  id: number
}

const finders = {
  project: { find: findProject, least: Role.maintainer },
  group: { find: findGroup, least: Role.owner }
}

/** The project or group, for somebody who may look after its tokens, and has this role in it. */
export async function findTokenResource(
  em: EntityManager,
  viewer: Viewer,
  type: TokenResource['type'],
  idOrPath: string,
  role: number = Role.guest
): Promise<TokenResource> {
  const { find, least } = finders[type]
  const { id } = await find(em, viewer, idOrPath, Math.max(least, role))

  return { type, id }
}
