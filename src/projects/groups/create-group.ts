import { type Actor, publishAuditEvent } from '#audit/record-audit-event.ts'
import { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { Forbidden, ValidationFailed } from '#lib/refusals.ts'
import { Namespace, type Visibility } from '#namespaces/namespace.ts'
import { checkPath, checkTopLevelPath, claimPath, lockPaths, rethrowTaken } from '#namespaces/paths.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { addRepository } from '#repositories/find-repository.ts'
import { checkBranchName } from '../default-branch.ts'
import { Member, Role } from '../members/member.ts'
import { roleInGroup } from '../members/member-store.ts'
import { isExternalPerson } from '../members/roles.ts'

export interface NewGroup {
  name: string
  path: string
  description?: string | null
  visibility?: Visibility
  parentId?: number | null
  defaultBranch?: string | null
  avatar?: string | null
  /** Where the repository of its wiki will lie. */
  storage: string
}

/** Creates a top-level group or a subgroup, owned by its creator. */
export async function createGroup(em: EntityManager, creator: Viewer, input: NewGroup, by: Actor) {
  if (isExternalPerson(creator)) throw new Forbidden()
  if (input.parentId) checkPath(input.path)
  else checkTopLevelPath(input.path)

  return em.transactional(em => create(em, creator, input, by)).catch(rethrowTaken)
}

async function create(em: EntityManager, creator: Viewer, input: NewGroup, by: Actor) {
  const { name, path, description, parentId, defaultBranch, avatar, storage } = input

  checkBranchName(defaultBranch)
  await lockPaths(em)
  const parent = parentId ? await findParent(em, creator, parentId) : undefined
  const fullPath = parent ? `${parent.fullPath}/${path}` : path

  if (!parent && !creator.canCreateGroup && !creator.isAdmin) throw new Forbidden()
  const { defaultGroupVisibility: usual } = await readInstanceSettings(em)
  const visibility = input.visibility ?? parent?.narrow(usual) ?? usual

  parent?.checkVisibility(visibility)
  await claimPath(em, fullPath)
  const group = em.create(Namespace, {
    kind: 'group',
    name,
    path,
    fullPath,
    parent,
    visibility,
    avatar,
    description: description ?? '',
    defaultBranch: defaultBranch || null
  })

  em.create(Member, { group, user: em.getReference(User, creator.id), accessLevel: Role.owner })
  await em.flush()
  addRepository(em, { groupId: group.id }, { storage })
  await publishAuditEvent(em, by, { name: 'group_created', entity: group.audited(), details: { visibility } })

  return group
}

async function findParent(em: EntityManager, creator: Viewer, id: number) {
  const parent = await em.findOne(Namespace, { id, kind: 'group' })
  const role = parent && !creator.isAdmin ? await roleInGroup(em, creator, id) : Role.owner

  if (!parent || role === 0) throw new ValidationFailed({ parent_id: ['is not valid'] })
  if (role < Role.maintainer) throw new Forbidden()
  parent.checkWritable()

  return parent
}
