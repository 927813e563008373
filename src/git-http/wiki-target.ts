import type { Viewer } from '#identity/viewer.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { findGroup } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { roleInGroup } from '#projects/members/member-store.ts'
import { findRepository } from '#repositories/find-repository.ts'
import type { TargetKind } from './git-target.ts'

const suffix = '.wiki'

/** The wiki of a group, at the path of the group with `.wiki`. */
export const wikiTarget: TargetKind = {
  table: 'namespaces',
  async find({ fork }, { caller, path, operation }) {
    const groupPath = path.slice(0, -suffix.length)

    if (!path.endsWith(suffix) || /^\d*$/.test(groupPath) || caller?.by.kind === 'job') return undefined
    const em = fork()
    const viewer = caller?.user as Viewer | undefined
    const group = await findGroup(em, viewer, groupPath)
    const role = viewer?.isAdmin ? Role.owner : viewer ? await roleInGroup(em, viewer, group.id) : 0

    if (operation === 'write') checkMayPush(group, role)

    return {
      repository: await findRepository(em, { groupId: group.id }),
      defaultBranch: group.defaultBranch ?? 'main',
      mayForce: role >= Role.maintainer
    }
  }
}

function checkMayPush(group: Namespace, role: number) {
  if (role < Role.developer) throw new Forbidden('you are not allowed to push to this wiki; this requires the Developer role')
  group.checkWritable()
}
