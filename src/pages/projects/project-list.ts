import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../identity/identify.ts'
import { Role } from '../../projects/members/member.ts'
import { visibleProjects } from '../../projects/visibility/visible-projects.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'

const maxProjects = 100

export async function projectsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get('/projects', guard, async (request, reply) => {
    const { list } = await visibleProjects(app.platform.fork(), callerOf(request), { minRole: Role.guest, orderBy: 'last_activity_at' })
    const projects = await list(maxProjects, 0)

    return page(
      reply,
      { title: 'Projects' },
      html`
      <h1>Projects</h1>
      <p class="lead">Projects of which you are a member, the most active first.</p>
      ${
        projects.length > 0
          ? html`<ul class="rows">${projects.map(
              ({ id, name, full_path: path }) =>
                html`<li><div><p><a href="/projects/${id}"><strong>${name}</strong></a></p><p class="hint">${path}</p></div></li>`
            )}</ul>`
          : html`<p class="empty">You are not a member of any project yet. Create one with <code>POST /api/v4/projects</code>, or ask to be added to one.</p>`
      }`
    )
  })
}
