import { createReadStream } from 'node:fs'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Download } from '#api/openapi/describe-response.ts'
import { asDownload } from '#extras/source-code/files/send-stream.ts'
import { NotFound } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { findReadable } from '#projects/visibility/find-readable.ts'
import { findCiProject } from '../find-ci-project.ts'
import { findJob } from '../jobs/find-job.ts'
import { ByJob } from '../jobs/job-routes.ts'
import { JobShape, presentJob } from '../jobs/present-job.ts'
import { requireEraser } from '../jobs/require-eraser.ts'
import type { Artifact } from './artifact.ts'
import { findJobWithArchive } from './artifact-store.ts'
import { deleteArtifacts, deleteArtifactsOfProject, unexpireArtifacts } from './change-artifacts.ts'
import { findArchive } from './find-artifact.ts'
import { readEntry } from './read-entry.ts'
import { artifactFiles } from './store-artifact.ts'

const ByRef = Type.Object({ ...ById.properties, ref: Type.String() })
const entry = { artifact_path: Type.String({ description: 'The path of the file in the archive.' }) }
const OfJob = Type.Object({ job: Type.String({ minLength: 1, maxLength: 255, description: 'The name of the job.' }) })

/** What jobs left. Those who read the code download it, developers keep it, and delete that of their own jobs. */
export const artifactRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const path = '/projects/:id/jobs/:job_id/artifacts'
  const forReaders = {
    config: { role: 'anyone' as const, privateRole: 'reporter' as const, allowsJobToken: true as const }
  }
  const forDevelopers = { config: { role: 'developer' as const } }
  const archive = { 200: Download('application/zip') }
  const file = { 200: Download('application/octet-stream') }

  app.get(
    path,
    { ...forReaders, schema: { summary: 'Download the artifacts of a job', params: ByJob, response: archive } },
    async (request, reply) => sendArchive(reply, await archiveOfJob(request)) as never
  )

  app.get(
    '/projects/:id/jobs/artifacts/:ref/download',
    {
      ...forReaders,
      schema: {
        summary: 'Download the latest artifacts of a branch or tag',
        params: ByRef,
        querystring: OfJob,
        response: archive
      }
    },
    async (request, reply) => sendArchive(reply, await latestArchive(request)) as never
  )

  app.get(
    `${path}/:artifact_path`,
    {
      ...forReaders,
      schema: {
        summary: 'Download one file of the artifacts of a job',
        params: Type.Object({ ...ByJob.properties, ...entry }),
        response: file
      }
    },
    async (request, reply) => sendEntry(request, reply, await archiveOfJob(request)) as never
  )

  app.get(
    '/projects/:id/jobs/artifacts/:ref/raw/:artifact_path',
    {
      ...forReaders,
      schema: {
        summary: 'Download one file of the latest artifacts',
        params: Type.Object({ ...ByRef.properties, ...entry }),
        querystring: OfJob,
        response: file
      }
    },
    async (request, reply) => sendEntry(request, reply, await latestArchive(request)) as never
  )

  app.post(
    `${path}/keep`,
    { ...forDevelopers, schema: { summary: 'Keep the artifacts of a job', params: ByJob, response: { 200: JobShape } } },
    async request => {
      const { project, job } = await findForDeveloper(request)

      await unexpireArtifacts(fork(), job)

      return presentJob(await findJob(fork(), project, job.id), { baseUrl: config.baseUrl, project })
    }
  )

  app.delete(
    path,
    { ...forDevelopers, schema: { summary: 'Delete the artifacts of a job', params: ByJob, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { project, job } = await findForDeveloper(request)

      await requireEraser(fork(), request.user, project, job)
      await deleteArtifacts(fork(), config, job)

      return reply.code(204).send(null)
    }
  )

  app.delete(
    '/projects/:id/artifacts',
    {
      config: { role: 'maintainer' },
      schema: { summary: 'Delete the artifacts of all jobs', params: ById, response: { 202: Type.Object({ message: Type.String() }) } }
    },
    async (request, reply) => {
      const project = await findCiProject(fork(), request.user, request.params.id, Role.maintainer)

      await deleteArtifactsOfProject(fork(), project.id)

      return reply.code(202).send({ message: '202 Accepted' })
    }
  )

  async function archiveOfJob(request: FastifyRequest) {
    const { id, job_id: jobId } = request.params as { id: string; job_id: number }
    const { project, role } = await findReadable(request.em, request, id)

    return findArchive(request.em, (await findJob(request.em, project, jobId)).id, role)
  }

  async function latestArchive(request: FastifyRequest) {
    const { id, ref } = request.params as { id: string; ref: string }
    const { project, role } = await findReadable(request.em, request, id)
    const jobId = await findJobWithArchive(request.em, project.id, ref, (request.query as { job: string }).job)

    if (jobId === undefined) throw new NotFound()

    return findArchive(request.em, jobId, role)
  }

  async function findForDeveloper(request: FastifyRequest) {
    const { id, job_id: jobId } = request.params as { id: string; job_id: number }
    const project = await findCiProject(fork(), request.user, id, Role.developer)

    return { project, job: await findJob(fork(), project, jobId) }
  }

  function sendArchive(reply: FastifyReply, { filename, size, storedAs }: Artifact) {
    return asDownload(reply, filename, 'application/zip')
      .header('content-length', size)
      .send(createReadStream(artifactFiles(config).pathOf(storedAs)))
  }

  async function sendEntry(request: FastifyRequest, reply: FastifyReply, { storedAs }: Artifact) {
    const name = (request.params as { artifact_path: string }).artifact_path
    const { size, content } = await readEntry(artifactFiles(config).pathOf(storedAs), name)

    return asDownload(reply, name.split('/').at(-1)!, 'application/octet-stream').header('content-length', size).send(content)
  }
}
