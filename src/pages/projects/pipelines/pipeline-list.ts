import type { FastifyInstance } from 'fastify'
import { listPipelines } from '../../../ci/pipelines/list-pipelines.ts'
import type { Pipeline } from '../../../ci/pipelines/pipeline.ts'
import type { User } from '../../../identity/users/user.ts'
import { Role } from '../../../projects/members/member.ts'
import { html } from '../../layout/html.ts'
import { ago } from '../../layout/time.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { projectPage } from '../project-page.ts'
import { ciBadge } from './ci-badge.ts'
import { ciContext } from './ci-context.ts'

const perPage = 25
const maxPage = 1000

/** Pipelines, newest first. */
export async function pipelinesPage(app: FastifyInstance) {
  app.get<{ Querystring: { page?: string } }>('/projects/:id/pipelines', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await ciContext(request)
    const page = Math.min(Math.max(Number(/^\d{1,4}$/.exec(request.query.page ?? '')?.[0] ?? 1), 1), maxPage)
    const pipelines = await listPipelines(context.em, context.project.id, {}).list(perPage + 1, (page - 1) * perPage)

    return projectPage(
      reply,
      context,
      { title: 'Pipelines', tab: 'code' },
      html`
      <div class="heading"><h1>Pipelines</h1>${context.role >= Role.developer && html`<a class="button" href="${context.projectUrl}/pipelines/new">Run pipeline</a>`}</div>
      ${pipelines.length > 0 ? html`<ul class="rows">${pipelines.slice(0, perPage).map(pipeline => row(pipeline, context.projectUrl))}</ul>` : html`<p class="empty">No pipelines yet. A pipeline runs the jobs of <code>.gitlab-ci.yml</code>; <a href="/help/api/pipelines">programs</a> can run them, too.</p>`}
      <nav class="pages" aria-label="Pages">
        ${page > 1 && html`<a class="button plain small" rel="prev" href="?page=${page - 1}">Newer</a>`}
        ${pipelines.length > perPage && html`<a class="button plain small" rel="next" href="?page=${page + 1}">Older</a>`}
      </nav>`
    )
  })
}

function row({ id, name, ref, sha, status, user, createdAt }: Pipeline, projectUrl: string) {
  return html`
    <li>
      <div>
        <p><a href="${projectUrl}/pipelines/${id}"><strong>#${id}</strong>${name && ` ${name}`}</a> ${ref} <code>${sha.slice(0, 8)}</code></p>
        <p class="hint">${(user as User | null)?.name ?? 'A deleted user'} · ${ago(createdAt)}</p>
      </div>
      ${ciBadge(status)}
    </li>`
}
