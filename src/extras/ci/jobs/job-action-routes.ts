import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Role } from '#projects/members/member.ts'
import type { Project } from '#projects/project.ts'
import { eraseJob } from '../execution/erase-job.ts'
import { findCiProject } from '../find-ci-project.ts'
import { encryptVariables, NewVariables, readVariables } from '../pipelines/pipeline-variables.ts'
import { cancelJob, playJob, retryJob } from './change-job.ts'
import { findJob } from './find-job.ts'
import type { Job } from './job.ts'
import { ByJob } from './job-routes.ts'
import { JobShape, presentJob } from './present-job.ts'
import { requireEraser } from './require-eraser.ts'

/** Developers cancel, retry and start jobs, and erase their own; maintainers erase all. */
export const jobActionRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const path = '/projects/:id/jobs/:job_id'
  const forDevelopers = { config: { role: 'developer' as const } }

  app.post(
    `${path}/cancel`,
    { ...forDevelopers, schema: { summary: 'Cancel a job', params: ByJob, response: { 201: JobShape } } },
    async (request, reply) => reply.code(201).send(await change(request, job => cancelJob(request.em, job, request.actor, new Date())))
  )

  app.post(
    `${path}/retry`,
    { ...forDevelopers, schema: { summary: 'Retry a job', params: ByJob, response: { 201: JobShape } } },
    async (request, reply) => reply.code(201).send(await change(request, job => retryJob(request.em, job, request.actor, new Date())))
  )

  app.post(
    `${path}/erase`,
    { ...forDevelopers, schema: { summary: 'Erase the log and the artifacts of a job', params: ByJob, response: { 201: JobShape } } },
    async (request, reply) => {
      const erase = async (job: Job, project: Project) => {
        await requireEraser(fork(), request.user, project, job)

        return eraseJob(fork(), config, job, new Date())
      }

      return reply.code(201).send(await change(request, erase))
    }
  )

  app.post(
    `${path}/play`,
    {
      ...forDevelopers,
      schema: {
        summary: 'Start a manual or delayed job',
        params: ByJob,
        body: Type.Object({ job_variables_attributes: NewVariables }),
        response: { 200: JobShape }
      }
    },
    request => {
      const variables = readVariables(request.body.job_variables_attributes)

      return change(request, async job => {
        const givenVariables = await encryptVariables(config, variables, job.projectId)

        return playJob(request.em, job, { by: request.actor, givenVariables }, new Date())
      })
    }
  )

  async function change(request: FastifyRequest, decide: (job: Job, project: Project) => Promise<Job>) {
    const { id, job_id: jobId } = request.params as { id: string; job_id: number }
    const project = await findCiProject(fork(), request.user, id, Role.developer)
    const changed = await decide(await findJob(fork(), project, jobId), project)

    return presentJob(await findJob(fork(), project, changed.id), { baseUrl: config.baseUrl, project })
  }
}
