import type { Viewer } from '#identity/viewer.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'
import { findGroup, findProjectAndRoles } from '../find-project.ts'
import { Role } from './member.ts'
import { roleInGroup } from './member-store.ts'
import { effectiveRole } from './roles.ts'

/** The project or group that has members. */
export interface MemberSource {
  type: 'Project' | 'Group'
  id: number
  path: string
  /** Groups whose members are inherited. */
  ancestorIds: number[]
  /** The owner of the personal namespace that the project is in. */
  ownerId?: number | null
  /** The viewer's role. */
  role: number
}

export type SourceKind = 'projects' | 'groups'

/** Finds a source that the viewer can see and in which they have at least this role. */
export async function findMemberSource(
  em: EntityManager,
  viewer: Viewer | undefined,
  kind: SourceKind,
  idOrPath: string,
  minRole = 0
): Promise<MemberSource> {
  const source = await find(em, viewer, kind, idOrPath)

  if (source.role < minRole) throw new Forbidden()

  return source
}

/** The owner in a row that belongs to either. */
export function ownedBy({ type, id }: Pick<MemberSource, 'type' | 'id'>) {
  return type === 'Project' ? { project: id } : { group: id }
}

export function lockSource(em: EntityManager, { type, id }: Pick<MemberSource, 'type' | 'id'>) {
  return lockRow(em, type === 'Project' ? 'projects' : 'namespaces', id)
}

async function find(em: EntityManager, viewer: Viewer | undefined, kind: SourceKind, idOrPath: string): Promise<MemberSource> {
  if (kind === 'groups') {
    const group = await findGroup(em, viewer, idOrPath)
    const role = viewer?.isAdmin ? Role.owner : viewer ? await roleInGroup(em, viewer, group.id) : 0

    return { ...group.audited(), ancestorIds: group.lineage.filter(id => id !== group.id), role }
  }
  const { project, roles } = await findProjectAndRoles(em, viewer, idOrPath)
  const { namespace } = await em.populate(project, ['namespace'])

  return { ...project.audited(), ancestorIds: namespace.lineage, ownerId: namespace.ownerId, role: effectiveRole(viewer, roles) }
}
