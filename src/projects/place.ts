import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { instance } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow, lockTransaction } from '#platform/database/locks.ts'
import { findGroup, findProject } from './find-project.ts'
import { Role } from './members/member.ts'

/** Where webhooks and CI variables are kept: a project, a group, or the installation. */
export type Place = 'project' | 'group' | 'system'

export interface PlaceOwner {
  place: Place
  /** ID of the project or group. */
  id: number | null
  audited: { type: 'Project' | 'Group' | 'Instance'; id: number; path: string }
}

/** Who manages what a place keeps. */
export function guardOf(place: Place) {
  const role = ({ project: 'maintainer', group: 'owner', system: 'admin' } as const)[place]

  return { config: { role } }
}

export function paramsOf(place: Place, more: Record<string, Type.TSchema> = {}) {
  return Type.Object({ ...(place === 'system' ? {} : { id: Type.String() }), ...more })
}

/** The place that a request names, for those who manage it. */
export async function ownerOf(request: FastifyRequest, place: Place): Promise<PlaceOwner> {
  const { id } = request.params as unknown as { id: string }
  const viewer = request.user

  if (place === 'system') return { place, id: null, audited: instance }
  const found =
    place === 'project' ? await findProject(request.em, viewer, id, Role.maintainer) : await findGroup(request.em, viewer, id, Role.owner)

  return { place, id: found.id, audited: found.audited() }
}

/** The columns of a row that belongs to a place. */
export function columnsOf({ place, id }: PlaceOwner) {
  return { projectId: place === 'project' ? id : null, groupId: place === 'group' ? id : null }
}

/** So that parallel requests do not exceed a limit. */
export function lockOwner(em: EntityManager, { place, id }: PlaceOwner) {
  if (place === 'system') return lockTransaction(em, 'system place')

  return lockRow(em, place === 'project' ? 'projects' : 'namespaces', id!)
}
