import type { FastifyInstance } from 'fastify'
import { cancelJob, playJob, retryJob } from '../../../ci/jobs/change-job.ts'
import { findJob } from '../../../ci/jobs/find-job.ts'
import type { Job } from '../../../ci/jobs/job.ts'
import { callerOf } from '../../../identity/identify.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import { Role } from '../../../projects/members/member.ts'
import { formOf } from '../../layout/field.ts'
import { html } from '../../layout/html.ts'
import { duration, timeIn } from '../../layout/time.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { projectPage } from '../project-page.ts'
import { ciBadge } from './ci-badge.ts'
import { ciContext, idParam } from './ci-context.ts'
import { artifactList, jobLog } from './job-log.ts'

const path = '/projects/:id/jobs/:job(^\\d{1,15}$)'

const actions: Record<string, (em: EntityManager, job: Job, userId: number) => Promise<Job>> = {
  cancel: (em, job) => cancelJob(em, job, new Date()),
  retry: (em, job, userId) => retryJob(em, job, userId, new Date()),
  play: (em, job, userId) => playJob(em, job, { userId }, new Date())
}
const buttons = { cancel: 'Cancel', retry: 'Retry', play: 'Start' }

/** One job. Developers cancel, retry and start it. */
export async function jobPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await ciContext(request)
    const { em, project, projectUrl, role } = context
    const job = await findJob(em, project, idParam(request, 'job'))
    const { id, name, stage, status, startedAt, finishedAt, failureReason, createdAt } = job
    const action = actionOf(job)

    return projectPage(
      reply,
      context,
      { title: name, tab: 'code' },
      html`
      <p class="trail"><a href="${projectUrl}/pipelines/${job.pipeline.id}">Pipeline #${job.pipeline.id}</a> <span aria-hidden="true">/</span> ${stage}</p>
      <h1>${name} ${ciBadge(status)}</h1>
      <p class="hint">Created ${timeIn('full', createdAt)}${startedAt && finishedAt && html` · ran ${duration(finishedAt.getTime() - startedAt.getTime())}`}${failureReason && html` · ${failureReason.replaceAll('_', ' ')}`}</p>
      ${action && role >= Role.developer && formOf(request, { action: `${projectUrl}/jobs/${id}/${action}` }, html`<button class="plain">${buttons[action]}</button>`)}
      <h2>Log</h2>
      ${await jobLog(em, job)}
      ${artifactList(job)}`
    )
  })

  for (const [name, act] of Object.entries(actions)) {
    app.post(`${path}/${name}`, guard, async (request, reply) => {
      const { em, project, projectUrl } = await ciContext(request, Role.developer)
      const { id } = await act(em, await findJob(em, project, idParam(request, 'job')), callerOf(request).id)

      return reply.redirect(`${projectUrl}/jobs/${id}`, 303)
    })
  }
}

function actionOf(job: Job): keyof typeof buttons | undefined {
  if (job.status === 'manual' || job.status === 'scheduled') return 'play'
  if (!job.isComplete()) return 'cancel'

  return job.status === 'skipped' || job.isRetried ? undefined : 'retry'
}
