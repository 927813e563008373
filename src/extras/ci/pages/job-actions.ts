import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { Actor } from '#audit/record-audit-event.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { cancelJob, playJob, retryJob } from '../jobs/change-job.ts'
import { findJob } from '../jobs/find-job.ts'
import type { Job } from '../jobs/job.ts'
import { ciContext, idParam } from './ci-context.ts'

const actions: Record<string, (em: EntityManager, job: Job, by: Actor) => Promise<Job>> = {
  cancel: (em, job, by) => cancelJob(em, job, by, new Date()),
  retry: (em, job, by) => retryJob(em, job, by, new Date()),
  play: (em, job, by) => playJob(em, job, { by }, new Date())
}
const labels = { cancel: 'Cancel', retry: 'Retry', play: 'Start' }

/** Developers cancel, retry and start a job. With `from=pipeline`, they come back to its pipeline. */
export async function jobActions(app: FastifyInstance) {
  for (const [name, act] of Object.entries(actions)) {
    app.post<{ Querystring: { from?: string } }>(
      `/projects/:id/jobs/:job(^\\d{1,15}$)/${name}`,
      { onRequest: requirePerson(app) },
      async (request, reply) => {
        const { em, project, projectUrl } = await ciContext(request, Role.developer)
        const { id, pipeline } = await act(em, await findJob(em, project, idParam(request, 'job')), request.actor)

        return redirect(reply, `${projectUrl}/${request.query.from === 'pipeline' ? `pipelines/${pipeline.id}` : `jobs/${id}`}`)
      }
    )
  }
}

/** What can be done with a job now: where its button leads, and its label. */
export function actionOf(job: Job, projectUrl: string) {
  const name = nameOf(job)

  return name && { url: `${projectUrl}/jobs/${job.id}/${name}`, label: labels[name] }
}

function nameOf(job: Job): keyof typeof labels | undefined {
  if (job.status === 'manual' || job.status === 'scheduled') return 'play'
  if (!job.isComplete()) return 'cancel'

  return job.status === 'skipped' || job.isRetried ? undefined : 'retry'
}
