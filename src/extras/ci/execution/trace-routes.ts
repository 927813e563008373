import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { inertPolicy } from '#api/browser-headers.ts'
import { Download } from '#api/openapi/describe-response.ts'
import { Problem } from '#api/problems/problems.ts'
import { Rejected } from '#lib/refusals.ts'
import { findCiProject } from '../find-ci-project.ts'
import { findJob } from '../jobs/find-job.ts'
import type { Job } from '../jobs/job.ts'
import { ByJob } from '../jobs/job-routes.ts'
import { endJob } from './end-job.ts'
import { findReported, NotRunning } from './running-job.ts'
import { appendTrace, maxTraceBytes, readTrace } from './trace-store.ts'

const maxPartBytes = 4 * 1024 * 1024
/** How often a runner sends what its job printed. */
const updateSeconds = '3'

/** The log of a job: its runner adds to it while the job runs, and those who read the code see it. */
export const traceRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.addContentTypeParser('text/plain', { parseAs: 'buffer', bodyLimit: maxPartBytes }, (_request, body, done) => done(null, body))

  app.patch(
    '/jobs/:id/trace',
    {
      config: { role: 'runner', hasMessage: true },
      schema: {
        summary: 'Append to the log of a job',
        description: 'For runners. `Content-Range` says where the part begins; the body is plain text.',
        params: Type.Object({ id: Type.Integer() }),
        response: { 202: Type.Null() }
      }
    },
    async (request, reply) => {
      const job = await findReported(request, request.params.id)
      const { from, to } = rangeOf(request.headers['content-range'])

      if (!Buffer.isBuffer(request.body)) throw new Rejected('send the log as text/plain')
      // The range of an empty part ends before it starts. Former runners name the byte after the last one, so the length is not compared.
      if (to < from - (request.body.length === 0 ? 1 : 0)) throw new RangeMismatch(job.traceSize)
      if (from + request.body.length > maxTraceBytes) {
        await endJob(fork(), job, { status: 'failed', failureReason: 'trace_size_exceeded' }, new Date())
        throw new NotRunning('failed')
      }
      const isAdded = await appendTrace(request.em, job.id, from, request.body, new Date())
      const { status, traceSize } = await request.em.refreshOrFail(job)

      if (status !== 'running') throw new NotRunning(status)
      if (!isAdded) throw new RangeMismatch(traceSize)

      return reportTo(reply, status).header('range', `0-${traceSize}`).code(202).send(null)
    }
  )

  app.get(
    '/projects/:id/jobs/:job_id/trace',
    {
      config: { role: 'anyone', privateRole: 'reporter' },
      schema: { summary: 'Get the log of a job', params: ByJob, response: { 200: Download('text/plain') } }
    },
    async ({ em, viewer, params }, reply) => {
      const project = await findCiProject(em, viewer, params.id)
      const job = await findJob(em, project, params.job_id)

      return reply
        .type('text/plain; charset=utf-8')
        .header('content-security-policy', inertPolicy)
        .send(Readable.from(readTrace(em, job.id)) as never)
    }
  )
}

/** A runner reads the status of its job in each answer. */
export function reportTo(reply: FastifyReply, status: Job['status']) {
  return reply.headers({ 'job-status': status, 'x-gitlab-trace-update-interval': updateSeconds })
}

function rangeOf(range: string | undefined) {
  const [, from, to] = /^(\d{1,9})-(\d{1,9})$/.exec(range ?? '') ?? []

  if (from === undefined) throw new Rejected('the header Content-Range must be like 0-99')

  return { from: Number(from), to: Number(to) }
}

/** The log has another size, or the range runs backwards: the runner continues from there. */
class RangeMismatch extends Problem {
  constructor(size: number) {
    super(416, { message: '416 Range Not Satisfiable' }, { range: `0-${size}` })
  }
}
