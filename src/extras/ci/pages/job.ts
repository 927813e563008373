import type { FastifyInstance } from 'fastify'
import { byteSize } from '#lib/counted.ts'
import { formOf } from '#pages/layout/field.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { ago, timeIn } from '#pages/layout/time.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { Artifact } from '../artifacts/artifact.ts'
import { readTraceEnd } from '../execution/trace-store.ts'
import { findJob } from '../jobs/find-job.ts'
import type { Job } from '../jobs/job.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import type { Runner } from '../runners/runner.ts'
import { whyWaiting } from '../runners/why-waiting.ts'
import { ciBadge } from './ci-badge.ts'
import { ciContext, idParam } from './ci-context.ts'
import { factList, runTime, sourceFacts, starterOf, waitTime } from './ci-facts.ts'
import { actionOf } from './job-actions.ts'
import { logView } from './log-view.ts'
import { readLog } from './read-log.ts'
import { waitingNotes } from './waiting-notes.ts'

const refreshSeconds = 5

/** One job. While it is not over, the page refreshes itself. */
export async function jobPage(app: FastifyInstance) {
  app.get('/projects/:id/jobs/:job(^\\d{1,15}$)', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await ciContext(request)
    const { em, project, projectUrl, role } = context
    const job = await findJob(em, project, idParam(request, 'job'))
    const { name, stage, status, pipeline } = job
    const action = role >= Role.developer && actionOf(job, projectUrl)

    return projectPage(
      reply,
      context,
      { title: name, tab: 'pipelines' },
      html`
      <p class="trail"><a href="${projectUrl}/pipelines/${pipeline.id}">Pipeline #${pipeline.id}</a> <span aria-hidden="true">/</span> ${stage}</p>
      <div id="job"${attributes({ 'data-live': job.isComplete() ? undefined : refreshSeconds })}>
        <div class="heading">
          <h1>${name} ${ciBadge(status)}</h1>
          ${action && formOf(request, { action: action.url }, html`<button class="plain">${action.label}</button>`)}
        </div>
        ${waitingNotes(await whyWaiting(em, project, [job]), context)}
        ${facts(job, projectUrl)}
        <h2>Log</h2>
        ${await jobLog(em, job)}
        ${await artifactList(em, job, role)}
      </div>`
    )
  })
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
