import type { FastifyRequest } from 'fastify'
import { NotFound } from '#lib/refusals.ts'
import { readDeletionPeriod } from '#projects/deletion/decide-deletion.ts'
import { requestGroupDeletion, restoreGroup } from '#projects/deletion/mark-group.ts'
import { transferGroup } from '#projects/groups/transfer-group.ts'
import { type GroupChanges, updateGroup } from '#projects/groups/update-group.ts'
import { Role } from '#projects/members/member.ts'
import { groupsWithRole } from '#projects/offered-namespaces.ts'
import { Form } from '../layout/form.ts'
import { BasicFields } from './basic-fields.ts'
import { type GroupContext, groupContext } from './group-context.ts'
import { groupFrame } from './group-frame.ts'
import { idOf } from './id-of.ts'
import type { SettingsContext } from './settings-context.ts'

const maxGroups = 200

export async function groupSettings(request: FastifyRequest): Promise<SettingsContext> {
  const context = await groupContext(request, Role.owner)
  const { em, group, groupUrl } = context
  const { platform } = request.server
  const update = (changes: GroupChanges) => updateGroup(em, group, changes, request.actor)

  return {
    noun: 'group',
    url: `${groupUrl}/settings`,
    name: group.name,
    path: group.path,
    form: new Form(BasicFields, group),
    fullPath: group.fullPath,
    isOwner: true,
    content: 'its subgroups and projects with everything in them',
    markedAt: group.markedForDeletionAt,
    isMarkedWithGroup: Boolean(group.markedWithId),
    periodDays: await readDeletionPeriod(em),
    targets: () => targetsOf(request, context),
    save: update,
    rename: path => update({ path }),
    transfer: target => transferGroup(em, request.user, group, idOf(target), request.actor),
    archive: async () => {
      throw new NotFound()
    },
    remove: () =>
      requestGroupDeletion(em, platform, group, request.actor, {
        isPermanent: Boolean(group.markedForDeletionAt),
        fullPath: group.fullPath
      }),
    restore: () => restoreGroup(em, platform.config, group, request.actor),
    show: (reply, content) => groupFrame(reply, context, { title: 'Settings', tab: 'settings' }, content)
  }
}

/** Other groups, except for its own subgroups; a subgroup may become a top-level group. */
async function targetsOf(request: FastifyRequest, { em, group }: GroupContext) {
  const groups = await groupsWithRole(em, request.user, Role.maintainer, { limit: maxGroups })
  const none: [string, string][] = group.parent ? [['', 'None (top-level group)']] : []
  const parents = groups.filter(({ id, lineage }) => !lineage.includes(group.id) && id !== group.parent?.id)

  return [...none, ...parents.map(({ id, fullPath }): [string, string] => [String(id), fullPath])]
}
