import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Problem } from '#api/problems/problems.ts'
import { Conflict } from '#lib/refusals.ts'
import { authenticateRunner, recordContact } from '../runners/authenticate-runner.ts'
import { RunnerContact } from '../runners/runner-schemas.ts'
import { endJob } from './end-job.ts'
import { presentWork } from './present-work.ts'
import { findReported, NotRunning } from './running-job.ts'
import { takeJob } from './take-job.ts'
import { reportTo } from './trace-routes.ts'
import { touch } from './trace-store.ts'

const ReportBody = Type.Object({
  token: Type.String({ description: 'The token of the job.' }),
  state: Type.Optional(Type.Enum(['pending', 'running', 'success', 'failed'])),
  failure_reason: Type.Optional(Type.String({ maxLength: 255 })),
  exit_code: Type.Optional(Type.Integer()),
  output: Type.Optional(Type.Object({ bytesize: Type.Optional(Type.Integer({ description: 'Size of the whole log in bytes.' })) }))
})

/** How a runner gets jobs and says how they ended: the protocol of gitlab-runner. */
export const jobRequestRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform

  app.post(
    '/jobs/request',
    {
      config: { role: 'runner', additionalStatuses: [409] },
      schema: {
        summary: 'Request the next job',
        description: 'For runners. 204 if there is no job.',
        body: RunnerContact,
        response: { 201: Type.Object({}, { additionalProperties: true }), 204: Type.Null() }
      }
    },
    async (request, reply) => {
      const runner = await authenticateRunner(request.em, request.body.token)

      await recordContact(request.em, runner, request, request.body)
      const work = runner.isPaused ? undefined : await takeJob(fork, runner, new Date())

      if (work === 'contended') throw new Conflict()
      if (!work) return reply.code(204).send(null)

      return reply.code(201).send(await presentWork(fork(), config, work))
    }
  )

  app.put(
    '/jobs/:id',
    {
      config: { role: 'runner', additionalStatuses: [412] },
      schema: {
        summary: 'Update the state of a job',
        description: 'For runners. 412 if part of the log is missing.',
        params: Type.Object({ id: Type.Integer() }),
        body: ReportBody,
        response: { 200: Type.Null() }
      }
    },
    async (request, reply) => {
      const { token, state, output, failure_reason: failureReason, exit_code: exitCode } = request.body
      const job = await findReported(request, request.params.id, token)
      const isEnd = state === 'success' || state === 'failed'

      if (job.status !== 'running') throw new NotRunning(job.status)
      if (isEnd && (output?.bytesize ?? 0) > job.traceSize) throw new LogIncomplete()
      if (isEnd) await endJob(fork(), job, { status: state, failureReason, exitCode }, new Date())
      else if (!(await touch(request.em, job.id, new Date()))) throw new NotRunning('canceled')

      return reportTo(reply, isEnd ? state : 'running')
        .code(200)
        .send(null)
    }
  )
}

/** The runner sends its log again. */
class LogIncomplete extends Problem {
  constructor() {
    super(412, { message: '412 Precondition Failed - the log is incomplete' })
  }
}
