import { stringify } from 'node:querystring'
import type { FastifyInstance } from 'fastify'
import { titleOf } from '#extras/source-code/commits/present-commit.ts'
import { field, selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { listPipelines } from '../pipelines/list-pipelines.ts'
import { type Pipeline, pipelineStatuses } from '../pipelines/pipeline.ts'
import { ciBadge, statusName } from './ci-badge.ts'
import { ciContext } from './ci-context.ts'
import { commitLink, refLink, runTime, starterOf } from './ci-facts.ts'

const perPage = 25
const maxPage = 1000

interface ListQuery {
  status: string
  ref: string
  page: number
}

/** Pipelines of a project, newest first, by status and branch or tag. */
export async function pipelinesPage(app: FastifyInstance) {
  app.get('/projects/:id/pipelines', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await ciContext(request)
    const query = readListQuery(request.query as Record<string, unknown>)
    const found = await listPipelines(context.em, context.project.id, query).list(perPage + 1, (query.page - 1) * perPage)
    const pipelines = found.slice(0, perPage)
    const address = (page: number) => `?${stringify({ ...query, page })}`

    return projectPage(
      reply,
      context,
      { title: 'Pipelines', tab: 'pipelines' },
      html`
      <div class="heading"><h1>Pipelines</h1>${context.role >= Role.developer && html`<a class="button" href="${context.projectUrl}/pipelines/new">Run pipeline</a>`}</div>
      ${filterForm(query, pipelines, context)}
      ${pipelines.length > 0 ? html`<ul class="rows">${pipelines.map(pipeline => row(pipeline, context.projectUrl))}</ul>` : emptiness(query, context)}
      <nav class="pages" aria-label="Pages">
        ${query.page > 1 && html`<a class="button plain small" rel="prev" href="${address(query.page - 1)}">Newer</a>`}
        ${found.length > perPage && html`<a class="button plain small" rel="next" href="${address(query.page + 1)}">Older</a>`}
      </nav>`
    )
  })
}

/** Unknown values are replaced by the defaults. */
function readListQuery({ status, ref, page }: Record<string, unknown>): ListQuery {
  return {
    status: pipelineStatuses.find(known => known === status) ?? '',
    ref: String(ref ?? '')
      .replaceAll('\0', '')
      .slice(0, 255)
      .trim(),
    page: Math.min(Math.max(Number(/^\d{1,4}$/.exec(String(page))?.[0] ?? 1), 1), maxPage)
  }
}

function filterForm({ status, ref }: ListQuery, pipelines: Pipeline[], { project }: PageContext) {
  const refs = new Set([project.defaultBranch, ...pipelines.map(({ ref }) => ref)])

  return html`
    <form method="get" class="filter">
      ${selectField({ name: 'status', label: 'Status', value: status, options: [['', 'Any'], ...pipelineStatuses.map((one): [string, string] => [one, statusName(one)])] })}
      ${field({ name: 'ref', label: 'Branch or tag', value: ref, attributes: { list: 'refs', maxlength: 255, spellcheck: 'false' } })}
      <datalist id="refs">${[...refs].map(ref => html`<option value="${ref}"></option>`)}</datalist>
      <button class="plain">Show</button>
    </form>`
}

function emptiness({ status, ref, page }: ListQuery, { projectUrl }: PageContext) {
  if (status || ref || page > 1)
    return html`<p class="empty">No pipelines match these filters. <a href="${projectUrl}/pipelines">Show all pipelines</a></p>`

  return html`<p class="empty">No pipelines yet. A pipeline runs the jobs of <code>.gitlab-ci.yml</code>; <a href="/help/api/pipelines">programs</a> can run them, too.</p>`
}

function row(pipeline: Pipeline, projectUrl: string) {
  const { id, name, sha, status, commit, createdAt } = pipeline
  const time = runTime(pipeline)

  return html`
    <li>
      <div>
        <p><a href="${projectUrl}/pipelines/${id}"><strong>#${id}</strong></a> ${name || titleOf(commit.message) || 'No message'}</p>
        <p class="hint">${refLink(pipeline, projectUrl)} · ${commitLink(pipeline, projectUrl, html`<code>${sha.slice(0, 8)}</code>`)} · ${starterOf(pipeline)} · ${ago(createdAt)}${time && ` · ${time}`}</p>
      </div>
      ${ciBadge(status)}
    </li>`
}
