import type { Viewer } from '#identity/viewer.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { reachedLimit } from './create-project.ts'
import { visibleGroups } from './groups/list-groups.ts'
import { Role } from './members/member.ts'
import { isExternalPerson } from './members/roles.ts'

export interface OfferedNamespaces {
  /** Where the user may put something: personal first, then groups by name. */
  namespaces: Namespace[]
  /** Why nothing, or nothing personal, can be created. */
  refusal?: string
}

interface Options {
  /** The number of groups. */
  limit: number
  /** The id of a group that is offered in any case, if the user may use it. */
  wanted?: number
}

/** Where a user may create projects: `createProject` accepts the same. */
export async function namespacesForProjects(em: EntityManager, user: Viewer, options: Options): Promise<OfferedNamespaces> {
  if (isExternalPerson(user)) return { namespaces: [], refusal: 'External users cannot create projects.' }
  const personal = await em.findOne(Namespace, { kind: 'user', ownerId: user.id })
  const reached = personal ? await reachedLimit(em, personal) : undefined
  const groups = await groupsWithRole(em, user, Role.developer, options)
  const refusal = reached === undefined ? undefined : `Your limit of ${reached} personal projects is reached.`

  return { namespaces: personal && !refusal ? [personal, ...groups] : groups, refusal }
}

/** In which groups a user may create subgroups: `createGroup` accepts the same. */
export async function namespacesForGroups(em: EntityManager, user: Viewer, options: Options): Promise<OfferedNamespaces> {
  if (isExternalPerson(user)) return { namespaces: [], refusal: 'External users cannot create groups.' }
  const refusal = user.canCreateGroup || user.isAdmin ? undefined : 'You may create groups only within others.'

  return { namespaces: await groupsWithRole(em, user, Role.maintainer, options), refusal }
}

/** Groups in which the user has at least this role; for admins, all. */
export async function groupsWithRole(em: EntityManager, user: Viewer, minRole: number, { limit, wanted }: Options) {
  const filter = { isActive: true, ...(!user.isAdmin && { minRole }) }
  const groups = await (await visibleGroups(em, user, filter)).list(limit)

  if (!wanted || groups.some(({ id }) => id === wanted)) return groups

  return [...(await (await visibleGroups(em, user, { ...filter, ids: [wanted] })).list(1)), ...groups]
}
