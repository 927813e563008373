import type { FastifyReply } from 'fastify'
import { viewerOf } from '#identity/identify.ts'
import type { Viewer } from '#identity/viewer.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { visibleGroups } from '#projects/groups/list-groups.ts'
import { Role } from '#projects/members/member.ts'
import { isExternalPerson } from '#projects/members/roles.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'
import { html } from '../layout/html.ts'
import { accessButton } from '../members/access-button.ts'
import { levelMenu } from '../notifications/level-menu.ts'
import { namespaceRow } from './deletion-mark.ts'
import { contextOf, type GroupContext } from './group-context.ts'
import { groupFrame } from './group-frame.ts'

const maxRows = 100

/** A group with the subgroups and projects that the reader may see. */
export async function groupPage(reply: FastifyReply, em: EntityManager, group: Namespace) {
  const viewer = viewerOf(reply.request)
  const context = await contextOf(em, viewer, group)
  const projects = await (await visibleProjects(em, viewer, { namespaces: [group.id], orderBy: 'last_activity_at' })).list(maxRows, 0)
  const subgroups = await (await visibleGroups(em, viewer, { parentId: group.id, allAvailable: true })).list(maxRows)
  const { request } = reply
  const menu =
    viewer &&
    html`
    <div class="menus">
      ${await accessButton(request, em, { ...group.audited(), role: context.role }, `${context.groupUrl}/members`)}
      ${await levelMenu(request, em, { projectId: null, groupId: group.id })}
    </div>`

  return groupFrame(
    reply,
    context,
    { title: group.name, tab: 'overview', menu },
    html`
    <div class="heading"><h1>${group.name}</h1>${viewer && creation(context, viewer)}</div>
    ${group.description && html`<p class="lead user-text">${group.description}</p>`}
    ${subgroups.length > 0 && html`<h2>Subgroups</h2><ul class="rows">${subgroups.map(({ name, fullPath, markedForDeletionAt }) => namespaceRow(`/groups/${fullPath}`, name, fullPath, markedForDeletionAt))}</ul>`}
    <h2>Projects</h2>
    ${
      projects.length > 0
        ? html`<ul class="rows">${projects.map(project => namespaceRow(`/projects/${project.id}`, project.name, project.full_path, project.marked_for_deletion_at))}</ul>`
        : html`<p class="empty">This group has no projects that you can see.</p>`
    }`
  )
}

/** `createProject` and `createGroup` ask for the same roles. */
function creation({ group, role }: GroupContext, viewer: Viewer) {
  if (role < Role.developer || isExternalPerson(viewer) || group.markedForDeletionAt) return undefined

  return html`
    <p class="actions">
      ${role >= Role.maintainer && html`<a class="button plain" href="/groups/-/new?parent_id=${group.id}">New subgroup</a>`}
      <a class="button" href="/projects/new?namespace_id=${group.id}">New project</a>
    </p>`
}
