import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { timeIn } from '#pages/layout/time.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import type { Job } from '../jobs/job.ts'
import { listJobs } from '../jobs/list-jobs.ts'
import { cancelPipeline, retryPipeline } from '../pipelines/change-pipeline.ts'
import { findPipeline } from '../pipelines/find-pipeline.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import { ciBadge } from './ci-badge.ts'
import { ciContext, idParam } from './ci-context.ts'
import { factList, runTime, sourceFacts, starterOf, waitTime } from './ci-facts.ts'

const path = '/projects/:id/pipelines/:pipeline(^\\d{1,15}$)'
const maxJobs = 1000
const over = ['success', 'failed', 'canceled', 'skipped']

/** One pipeline with its jobs by stage. Developers cancel and retry it. */
export async function pipelinePage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await ciContext(request)
    const { em, project, projectUrl, role } = context
    const pipeline = await findPipeline(em, project, idParam(request, 'pipeline'))
    const { id, name, status } = pipeline
    const jobs = await listJobs(em, { projectId: project.id, pipelineId: id, includeRetried: false }).list(maxJobs, 0)
    const stages = Map.groupBy(jobs.toSorted(inOrder), ({ stage }) => stage)
    const action = over.includes(status) ? 'retry' : 'cancel'

    return projectPage(
      reply,
      context,
      { title: `Pipeline #${id}`, tab: 'pipelines' },
      html`
      <p class="trail"><a href="${projectUrl}/pipelines">Pipelines</a></p>
      <div class="heading">
        <h1>Pipeline #${id} ${ciBadge(status)}</h1>
        ${role >= Role.developer && formOf(request, { action: `${projectUrl}/pipelines/${id}/${action}` }, html`<button class="plain">${action === 'retry' ? 'Retry failed jobs' : 'Cancel'}</button>`)}
      </div>
      ${name && html`<p>${name}</p>`}
      ${facts(pipeline, projectUrl)}
      ${[...stages].map(([stage, jobs]) => html`<h2>${stage}</h2><ul class="rows">${jobs.map(job => row(job, projectUrl))}</ul>`)}`
    )
  })

  app.post(`${path}/cancel`, guard, async (request, reply) => {
    const { em, project, projectUrl } = await ciContext(request, Role.developer)
    const pipeline = await findPipeline(em, project, idParam(request, 'pipeline'))

    await cancelPipeline(em, pipeline, request.actor, new Date())

    return redirect(reply, `${projectUrl}/pipelines/${pipeline.id}`)
  })

  app.post(`${path}/retry`, guard, async (request, reply) => {
    const { em, project, projectUrl } = await ciContext(request, Role.developer)
    const pipeline = await findPipeline(em, project, idParam(request, 'pipeline'))

    await retryPipeline(em, pipeline, request.actor, new Date())

    return redirect(reply, `${projectUrl}/pipelines/${pipeline.id}`)
  })
}

/** By stage, then by name: `test 2/10` is before `test 10/10`. */
function inOrder(one: Job, other: Job) {
  return one.stageIndex - other.stageIndex || one.name.localeCompare(other.name, 'en', { numeric: true })
}

function facts(pipeline: Pipeline, projectUrl: string) {
  return factList([
    ...sourceFacts(pipeline, projectUrl),
    ['Started by', starterOf(pipeline)],
    ['Source', pipeline.source.replaceAll('_', ' ')],
    ['Created', timeIn('full', pipeline.createdAt)],
    ['Waited', waitTime(pipeline.createdAt, pipeline)],
    ['Duration', runTime(pipeline)]
  ])
}

function row(job: Job, projectUrl: string) {
  const { id, name, status, allowFailure } = job
  const hints = [runTime(job), allowFailure && 'may fail'].filter(Boolean)

  return html`
    <li>
      <p><a href="${projectUrl}/jobs/${id}">${name}</a> <span class="hint">${hints.join(' · ')}</span></p>
      ${ciBadge(status)}
    </li>`
}
