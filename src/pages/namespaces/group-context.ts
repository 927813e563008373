import type { FastifyRequest } from 'fastify'
import type { Viewer } from '#identity/viewer.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { explainRole } from '#pages/projects/explain-role.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { roleInGroup } from '#projects/members/member-store.ts'

export interface GroupContext {
  em: EntityManager
  group: Namespace
  /** The path of the group's pages. A path of a group never contains `-` as a part, so no group lies there. */
  groupUrl: string
  /** Admins have the role of owners, anonymous visitors none. */
  role: number
}

/** Context for the pages of a group, whose routes have its id. */
export async function groupContext(request: FastifyRequest, minRole: number = Role.guest) {
  const { id } = request.params as { id: string }
  const group = await explainRole(request, 'groups', minRole, () => findGroup(request.em, request.user, id, minRole))

  return contextOf(request.em, request.user, group)
}

export async function contextOf(em: EntityManager, viewer: Viewer | undefined, group: Namespace): Promise<GroupContext> {
  const role = viewer?.isAdmin ? Role.owner : viewer ? await roleInGroup(em, viewer, group.id) : 0

  return { em, group, groupUrl: `/groups/${group.id}/-`, role }
}
