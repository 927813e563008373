import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { Actor } from '#audit/record-audit-event.ts'
import { byteSize } from '#lib/counted.ts'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { ago, timeIn } from '#pages/layout/time.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { Artifact } from '../artifacts/artifact.ts'
import { readTraceEnd } from '../execution/trace-store.ts'
import { cancelJob, playJob, retryJob } from '../jobs/change-job.ts'
import { findJob } from '../jobs/find-job.ts'
import type { Job } from '../jobs/job.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import type { Runner } from '../runners/runner.ts'
import { ciBadge } from './ci-badge.ts'
import { ciContext, idParam } from './ci-context.ts'
import { factList, runTime, sourceFacts, starterOf, waitTime } from './ci-facts.ts'
import { logView } from './log-view.ts'
import { readLog } from './read-log.ts'

const path = '/projects/:id/jobs/:job(^\\d{1,15}$)'

const actions: Record<string, (em: EntityManager, job: Job, by: Actor) => Promise<Job>> = {
  cancel: (em, job, by) => cancelJob(em, job, by, new Date()),
  retry: (em, job, by) => retryJob(em, job, by, new Date()),
  play: (em, job, by) => playJob(em, job, { by }, new Date())
}
const buttons = { cancel: 'Cancel', retry: 'Retry', play: 'Start' }

/** One job. Developers cancel, retry and start it. */
export async function jobPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await ciContext(request)
    const { em, project, projectUrl, role } = context
    const job = await findJob(em, project, idParam(request, 'job'))
    const { id, name, stage, status } = job
    const action = actionOf(job)

    return projectPage(
      reply,
      context,
      { title: name, tab: 'pipelines' },
      html`
      <p class="trail"><a href="${projectUrl}/pipelines/${job.pipeline.id}">Pipeline #${job.pipeline.id}</a> <span aria-hidden="true">/</span> ${stage}</p>
      <div class="heading">
        <h1>${name} ${ciBadge(status)}</h1>
        ${action && role >= Role.developer && formOf(request, { action: `${projectUrl}/jobs/${id}/${action}` }, html`<button class="plain">${buttons[action]}</button>`)}
      </div>
      ${facts(job, projectUrl)}
      <h2>Log</h2>
      ${await jobLog(em, job)}
      ${await artifactList(em, job, role)}`
    )
  })

  for (const [name, act] of Object.entries(actions)) {
    app.post(`${path}/${name}`, guard, async (request, reply) => {
      const { em, project, projectUrl } = await ciContext(request, Role.developer)
      const { id } = await act(em, await findJob(em, project, idParam(request, 'job')), request.actor)

      return redirect(reply, `${projectUrl}/jobs/${id}`)
    })
  }
}

function facts(job: Job, projectUrl: string) {
  const pipeline = job.pipeline as Pipeline
  const runner = job.runner as Runner | null | undefined

  return factList([
    ...sourceFacts(pipeline, projectUrl),
    ['Started by', starterOf(job)],
    ['Source', pipeline.source.replaceAll('_', ' ')],
    ['Created', timeIn('full', job.createdAt)],
    ['Waited', waitTime(job.queuedAt, job)],
    ['Duration', runTime(job)],
    ['Runner', runner && `#${runner.id} ${runner.description ?? ''}`],
    ['Tags', job.tags.join(', ')],
    ['Failed because of', job.failureReason?.replaceAll('_', ' ')],
    ['Exit code', job.exitCode ? String(job.exitCode) : undefined]
  ])
}

function actionOf(job: Job): keyof typeof buttons | undefined {
  if (job.status === 'manual' || job.status === 'scheduled') return 'play'
  if (!job.isComplete()) return 'cancel'

  return job.status === 'skipped' || job.isRetried ? undefined : 'retry'
}

const maxArtifacts = 100

/** The files that a job left. The archive is downloaded, by those whom the job allows; runners read the reports. */
async function artifactList(em: EntityManager, { id, projectId }: Job, role: number, now = new Date()) {
  const artifacts = await em.find(Artifact, { jobId: id }, { orderBy: { id: 'asc' }, limit: maxArtifacts })

  if (artifacts.length === 0) return undefined

  return html`
    <h2>Artifacts</h2>
    <ul class="rows">${artifacts.map(artifact => row(artifact, `/api/v4/projects/${projectId}/jobs/${id}/artifacts`, role, now))}</ul>`
}

function row({ type, filename, size, expiresAt, minRole }: Artifact, url: string, role: number, now: Date) {
  const isExpired = expiresAt && expiresAt <= now
  const isOpen = type === 'archive' && role >= minRole && !isExpired

  return html`
    <li>
      <div>
        <p>${filename} <span class="badge">${type.replaceAll('_', ' ')}</span></p>
        <p class="hint">${byteSize(size)}${expiresAt && html` · ${isExpired ? 'expired' : 'expires'} ${ago(expiresAt, now)}`}${role < minRole && ' · not for your role'}</p>
      </div>
      ${isOpen && html`<a class="button plain" href="${url}" download>Download</a>`}
    </li>`
}

const maxShown = 256 * 1024

/** The end of what a job printed, with a link to all of it. */
async function jobLog(em: EntityManager, { id, projectId, status, traceSize }: Job) {
  if (traceSize === 0) return html`<p class="empty">${status === 'running' ? 'The job has no output yet.' : 'No log.'}</p>`
  const text = (await readTraceEnd(em, id, traceSize - maxShown)).toString()
  const hint = traceSize > maxShown ? `The last ${byteSize(maxShown)} of ${byteSize(traceSize)}. ` : ''

  return html`
    ${logView(readLog(text))}
    <p class="hint">${hint}<a href="/api/v4/projects/${projectId}/jobs/${id}/trace">${hint ? 'All of it' : 'As text'}</a>${status === 'running' && html` · <a href="">Reload</a>`}</p>`
}
