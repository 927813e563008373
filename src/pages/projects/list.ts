import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../identity/identify.ts'
import { visibleProjects } from '../../projects/list.ts'
import { Role } from '../../projects/member.ts'
import { requirePerson } from '../guard.ts'
import { html } from '../html.ts'
import { page } from '../page.ts'

const most = 100

/** The projects that somebody takes part in, each with the way to its pages. */
export async function projectsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get('/projects', guard, async (request, reply) => {
    const { list } = await visibleProjects(app.platform.fork(), callerOf(request), { least: Role.developer, orderBy: 'last_activity_at' })
    const projects = await list(most, 0)

    return page(
      reply,
      { title: 'Projects' },
      html`
      <h1>Projects</h1>
      <p class="lead">Those you take part in as a developer or more, the busiest first.</p>
      ${
        projects.length > 0
          ? html`<ul class="rows">${projects.map(
              ({ id, name, full_path: path }) =>
                html`<li><div><p><a href="/projects/${id}"><strong>${name}</strong></a></p><p class="hint">${path}</p></div></li>`
            )}</ul>`
          : html`<p class="empty">You take part in none yet. Make one with <code>POST /api/v4/projects</code>, or ask to be added to one.</p>`
      }`
    )
  })

  app.get<{ Params: { id: string } }>('/projects/:id', guard, async (request, reply) =>
    reply.redirect(`/projects/${encodeURIComponent(request.params.id)}/alert_integrations`)
  )
}
