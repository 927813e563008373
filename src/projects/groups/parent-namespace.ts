import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findGroup, findProjectAndRoles } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { highest, roleInGroup } from '../members/roles.ts'

/** What people are members of: a project or a group. */
export interface Home {
  type: 'Project' | 'Group'
  id: number
  path: string
  /** The groups whose members are members here, too. */
  above: number[]
  /** In whose own space a project lies. */
  ownerId?: number
  /** What the viewer may do here. */
  role: number
}

export type Kind = 'projects' | 'groups'

/** For somebody who at least sees it. */
export async function findHome(em: EntityManager, viewer: Viewer | undefined, kind: Kind, idOrPath: string): Promise<Home> {
  if (kind === 'groups') {
    const group = await findGroup(em, viewer, idOrPath)
    const role = await roleOf(viewer, user => roleInGroup(em, user, group.id))

    return { ...group.audited(), above: group.lineage.filter(id => id !== group.id), role }
  }
  const { project, roles } = await findProjectAndRoles(em, viewer, idOrPath)
  const { namespace } = await em.populate(project, ['namespace'])
  const role = await roleOf(viewer, () => highest(roles))

  return { ...project.audited(), above: namespace.lineage, ownerId: namespace.ownerId ?? undefined, role }
}

/** A home as the columns of `members` tell it. */
export function keyOf({ type, id }: Home) {
  return type === 'Project' ? { project: id } : { group: id }
}

async function roleOf(viewer: Viewer | undefined, look: (user: Viewer) => Promise<number> | number) {
  if (!viewer) return 0

  return viewer.isAdmin ? Role.owner : look(viewer)
}
