import type { FastifyRequest } from 'fastify'
import { Namespace } from '#namespaces/namespace.ts'
import { readDeletionPeriod } from '#projects/deletion/decide-deletion.ts'
import { requestProjectDeletion, restoreProject } from '#projects/deletion/mark-project.ts'
import { Role } from '#projects/members/member.ts'
import { groupsWithRole } from '#projects/offered-namespaces.ts'
import { transferProject } from '#projects/transfer-project.ts'
import { archiveProject, updateProject } from '#projects/update-project.ts'
import { spamCheckOf } from '#spam/spam-check.ts'
import { Form } from '../layout/form.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { BasicFields } from './basic-fields.ts'
import type { SettingsContext } from './settings-context.ts'

const maxGroups = 200

/** Maintainers change the name and the description, owners the rest. */
export async function projectSettings(request: FastifyRequest, isForOwners: boolean): Promise<SettingsContext> {
  const context = await pageContext(request, isForOwners ? Role.owner : Role.maintainer)
  const { em, project, projectUrl, role, admin } = context
  const { actor, config } = admin
  const update = (changes: Parameters<typeof updateProject>[3]) =>
    updateProject(em, config, project, changes, { role, actor, spam: spamCheckOf(request) })

  return {
    noun: 'project',
    url: `${projectUrl}/settings`,
    name: project.name,
    path: project.path,
    form: new Form(BasicFields, project),
    fullPath: project.fullPath,
    isOwner: role >= Role.owner,
    content: 'its errors, alerts, incidents and code',
    isArchived: project.isArchived,
    markedAt: project.markedForDeletionAt,
    isMarkedWithGroup: Boolean(project.markedWithId),
    periodDays: await readDeletionPeriod(em),
    targets: () => targetsOf(request, context),
    save: update,
    rename: path => update({ path }),
    transfer: target => transferProject(em, request.user, project, target, actor),
    archive: isArchived => archiveProject(em, config, project, isArchived, actor),
    remove: () =>
      requestProjectDeletion(em, request.server.platform, project, actor, {
        isPermanent: Boolean(project.markedForDeletionAt),
        fullPath: project.fullPath
      }),
    restore: () => restoreProject(em, config, project, actor),
    show: (reply, content) => projectPage(reply, context, { title: 'Settings', tab: 'settings' }, content)
  }
}

async function targetsOf(request: FastifyRequest, { em, project }: PageContext) {
  const personal = await em.find(Namespace, { kind: 'user', ownerId: request.user.id })
  const groups = await groupsWithRole(em, request.user, Role.maintainer, { limit: maxGroups })

  return [...personal, ...groups]
    .filter(({ id }) => id !== project.namespace.id)
    .map(({ id, fullPath }): [string, string] => [String(id), fullPath])
}
