import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { instance } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow, lockTransaction } from '#platform/database/locks.ts'
import { findGroup, findProject } from './find-project.ts'
import { Role } from './members/member.ts'

/** What webhooks and CI variables belong to: a project, a group, or the installation. */
export type OwnerKind = 'project' | 'group' | 'system'

export interface Owner {
  kind: OwnerKind
  /** ID of the project or group. */
  id: number | null
  audited: { type: 'Project' | 'Group' | 'Instance'; id: number; path: string }
}

/** Who manages what an owner keeps. */
export function guardOf(kind: OwnerKind) {
  const role = ({ project: 'maintainer', group: 'owner', system: 'admin' } as const)[kind]

  return { config: { role } }
}

export function paramsOf(kind: OwnerKind, more: Record<string, Type.TSchema> = {}) {
  return Type.Object({ ...(kind === 'system' ? {} : { id: Type.String() }), ...more })
}

/** The owner that a request names, for those who manage it. */
export async function ownerOf(request: FastifyRequest, kind: OwnerKind): Promise<Owner> {
  const { id } = request.params as unknown as { id: string }
  const viewer = request.user

  if (kind === 'system') return { kind, id: null, audited: instance }
  const found =
    kind === 'project' ? await findProject(request.em, viewer, id, Role.maintainer) : await findGroup(request.em, viewer, id, Role.owner)

  return { kind, id: found.id, audited: found.audited() }
}

/** The columns of a row that belongs to an owner. */
export function columnsOf({ kind, id }: Owner) {
  return { projectId: kind === 'project' ? id : null, groupId: kind === 'group' ? id : null }
}

/** So that parallel requests do not exceed a limit. */
export function lockOwner(em: EntityManager, { kind, id }: Owner) {
  if (kind === 'system') return lockTransaction(em, 'system place')

  return lockRow(em, kind === 'project' ? 'projects' : 'namespaces', id!)
}
