import type { FastifyReply } from 'fastify'
import { viewerOf } from '../../identity/identify.ts'
import type { Namespace } from '../../namespaces/namespace.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { visibleProjects } from '../../projects/visibility/visible-projects.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { levelMenu } from '../notifications/level-menu.ts'

const maxProjects = 100

/** A group with the projects that the reader may see. */
export async function groupPage(reply: FastifyReply, em: EntityManager, group: Namespace) {
  const { list } = await visibleProjects(em, viewerOf(reply.request), { namespaces: [group.id], orderBy: 'last_activity_at' })
  const projects = await list(maxProjects, 0)

  return page(
    reply,
    { title: group.name },
    html`
    <div class="heading"><h1>${group.name}</h1>${reply.request.caller && (await levelMenu(reply.request, em, { projectId: null, groupId: group.id }))}</div>
    <p class="lead">${group.fullPath}</p>
    <h2>Projects</h2>
    ${
      projects.length > 0
        ? html`<ul class="rows">${projects.map(({ id, name, full_path: path }) => html`<li data-row><div><p><a href="/projects/${id}"><strong>${name}</strong></a></p><p class="hint">${path}</p></div></li>`)}</ul>`
        : html`<p class="empty">You see no project of this group.</p>`
    }`
  )
}
