import { stringify } from 'node:querystring'
import type { FastifyInstance } from 'fastify'
import { titleOf } from '#extras/source-code/commits/present-commit.ts'
import { field, selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { byTime, numberedPage, pager } from '#pages/list.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { listPipelines } from '../pipelines/list-pipelines.ts'
import { type Pipeline, pipelineStatuses } from '../pipelines/pipeline.ts'
import { ciBadge, statusName } from './ci-badge.ts'
import { ciContext } from './ci-context.ts'
import { commitLink, refLink, runTime, starterOf } from './ci-facts.ts'

interface ListQuery {
  status: string
  ref: string
}

/** Pipelines of a project, newest first, by status and branch or tag. */
export async function pipelinesPage(app: FastifyInstance) {
  app.get('/projects/:id/pipelines', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await ciContext(request)
    const query = readListQuery(request.query as Record<string, unknown>)
    const page = await numberedPage(request, listPipelines(context.em, context.project.id, query))
    const pipelines = page.rows

    return projectPage(
      reply,
      context,
      { title: 'Pipelines', tab: 'pipelines' },
      html`
      <div class="heading"><h1>Pipelines</h1>${context.role >= Role.developer && html`<a class="button" href="${context.projectUrl}/pipelines/new">Run pipeline</a>`}</div>
      ${filterForm(query, pipelines, context)}
      ${pipelines.length > 0 ? html`<ul class="rows">${pipelines.map(pipeline => row(pipeline, context.projectUrl))}</ul>` : emptiness(query, page.number, context)}
      ${pager(page, page => `?${stringify({ ...query, page })}`, byTime)}`
    )
  })
}

/** Unknown values are replaced by the defaults. */
function readListQuery({ status, ref }: Record<string, unknown>): ListQuery {
  return {
    status: pipelineStatuses.find(known => known === status) ?? '',
    ref: String(ref ?? '')
      .replaceAll('\0', '')
      .slice(0, 255)
      .trim()
  }
}

function filterForm({ status, ref }: ListQuery, pipelines: Pipeline[], { project }: PageContext) {
  const refs = new Set([project.defaultBranch, ...pipelines.map(({ ref }) => ref)])

  return html`
    <form method="get" class="filter">
      ${selectField({ name: 'status', label: 'Status', value: status, options: [['', 'Any'], ...pipelineStatuses.map((one): [string, string] => [one, statusName(one)])] })}
      ${field({ name: 'ref', label: 'Branch or tag', value: ref, attributes: { list: 'refs', maxlength: 255, spellcheck: 'false' } })}
      <datalist id="refs">${[...refs].map(ref => html`<option value="${ref}"></option>`)}</datalist>
      <button class="plain">Filter</button>
    </form>`
}

function emptiness({ status, ref }: ListQuery, page: number, { projectUrl }: PageContext) {
  if (status || ref || page > 1)
    return html`<p class="empty">No pipelines match these filters. <a href="${projectUrl}/pipelines">Show all pipelines</a></p>`

  return html`<p class="empty">No pipelines yet. A pipeline runs the jobs of <code>.gitlab-ci.yml</code>; <a href="/help/api/pipelines">programs</a> can also run them.</p>`
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
