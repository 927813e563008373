import type { FastifyInstance } from 'fastify'
import type { Job } from '../../../ci/jobs/job.ts'
import { listJobs } from '../../../ci/jobs/list-jobs.ts'
import { cancelPipeline, retryPipeline } from '../../../ci/pipelines/change-pipeline.ts'
import { findPipeline } from '../../../ci/pipelines/find-pipeline.ts'
import { callerOf } from '../../../identity/identify.ts'
import { Role } from '../../../projects/members/member.ts'
import { formOf } from '../../layout/field.ts'
import { html } from '../../layout/html.ts'
import { timeIn } from '../../layout/time.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { projectPage } from '../project-page.ts'
import { ciBadge } from './ci-badge.ts'
import { ciContext, idParam } from './ci-context.ts'

const path = '/projects/:id/pipelines/:pipeline(^\\d{1,15}$)'
const maxJobs = 1000
const over = ['success', 'failed', 'canceled', 'skipped']

/** One pipeline with its jobs by stage. Developers cancel and retry it. */
export async function pipelinePage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await ciContext(request)
    const { em, project, projectUrl, role } = context
    const { id, name, ref, sha, status, createdAt } = await findPipeline(em, project, idParam(request, 'pipeline'))
    const jobs = await listJobs(em, { projectId: project.id, pipelineId: id, includeRetried: false }).list(maxJobs, 0)
    const stages = Map.groupBy(jobs.toReversed(), ({ stage }) => stage)
    const action = over.includes(status) ? 'retry' : 'cancel'

    return projectPage(
      reply,
      context,
      { title: `Pipeline #${id}`, tab: 'code' },
      html`
      <p class="trail"><a href="${projectUrl}/pipelines">Pipelines</a></p>
      <h1>Pipeline #${id} ${ciBadge(status)}</h1>
      ${name && html`<p>${name}</p>`}
      <p class="hint">${ref} · <a href="${projectUrl}/code/commit/${sha}"><code>${sha.slice(0, 8)}</code></a> · ${timeIn('full', createdAt)}</p>
      ${role >= Role.developer && formOf(request, { action: `${projectUrl}/pipelines/${id}/${action}` }, html`<button class="plain">${action === 'retry' ? 'Retry failed jobs' : 'Cancel'}</button>`)}
      ${[...stages].map(([stage, jobs]) => html`<h2>${stage}</h2><ul class="rows">${jobs.map(job => row(job, projectUrl))}</ul>`)}`
    )
  })

  app.post(`${path}/cancel`, guard, async (request, reply) => {
    const { em, project, projectUrl } = await ciContext(request, Role.developer)
    const pipeline = await findPipeline(em, project, idParam(request, 'pipeline'))

    await cancelPipeline(em, pipeline, new Date())

    return reply.redirect(`${projectUrl}/pipelines/${pipeline.id}`, 303)
  })

  app.post(`${path}/retry`, guard, async (request, reply) => {
    const { em, project, projectUrl } = await ciContext(request, Role.developer)
    const pipeline = await findPipeline(em, project, idParam(request, 'pipeline'))

    await retryPipeline(em, pipeline, callerOf(request).id, new Date())

    return reply.redirect(`${projectUrl}/pipelines/${pipeline.id}`, 303)
  })
}

function row({ id, name, status, allowFailure }: Job, projectUrl: string) {
  return html`
    <li>
      <p><a href="${projectUrl}/jobs/${id}">${name}</a> ${allowFailure && html`<span class="hint">may fail</span>`}</p>
      ${ciBadge(status)}
    </li>`
}
