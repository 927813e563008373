import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { formOf } from '#pages/layout/field.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { timeIn } from '#pages/layout/time.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { listJobs } from '../jobs/list-jobs.ts'
import { cancelPipeline, retryPipeline } from '../pipelines/change-pipeline.ts'
import { findPipeline } from '../pipelines/find-pipeline.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import { whyWaiting } from '../runners/why-waiting.ts'
import { ciBadge } from './ci-badge.ts'
import { ciContext, idParam } from './ci-context.ts'
import { factList, runTime, sourceFacts, starterOf, waitTime } from './ci-facts.ts'
import { stageColumns } from './stage-columns.ts'
import { waitingNotes } from './waiting-notes.ts'

const path = '/projects/:id/pipelines/:pipeline(^\\d{1,15}$)'
const maxJobs = 1000
const refreshSeconds = 5
const over = ['success', 'failed', 'canceled', 'skipped']

/** One pipeline with its jobs by stage. Developers cancel and retry it. While it runs, the page refreshes itself. */
export async function pipelinePage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await ciContext(request)
    const { em, project, projectUrl, role } = context
    const pipeline = await findPipeline(em, project, idParam(request, 'pipeline'))
    const { id, status } = pipeline
    const jobs = await listJobs(em, { projectId: project.id, pipelineId: id, includeRetried: false }).list(maxJobs, 0)
    const isOver = over.includes(status)
    const isLive = !isOver && status !== 'manual'
    const button = html`<button class="plain">${isOver ? 'Retry failed jobs' : 'Cancel'}</button>`

    return projectPage(
      reply,
      context,
      { title: `Pipeline #${id}`, tab: 'pipelines' },
      html`
      <p class="back"><a href="${projectUrl}/pipelines">Pipelines</a></p>
      <div id="pipeline"${attributes({ 'data-live': isLive ? refreshSeconds : undefined })}>
        <div class="heading">
          <h1>Pipeline #${id} ${ciBadge(status)}</h1>
          ${role >= Role.developer && formOf(request, { action: `${projectUrl}/pipelines/${id}/${isOver ? 'retry' : 'cancel'}` }, button)}
        </div>
        ${pipeline.name && html`<p>${pipeline.name}</p>`}
        ${waitingNotes(await whyWaiting(em, project, jobs), context)}
        ${facts(pipeline, projectUrl)}
        ${stageColumns(request, context, jobs)}
      </div>`
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
