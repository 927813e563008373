import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Download } from '../../http/openapi/describe-response.ts'
import { BadParameter, BadRequest, NotFound } from '../../http/problems/problems.ts'
import { Role } from '../../projects/members/member.ts'
import { asDownload } from '../../source-code/files/send-stream.ts'
import { findByToken, findReported, NotRunning } from '../execution/running-job.ts'
import { Job } from '../jobs/job.ts'
import { maxDotenvBytes, storeVariables } from './dotenv.ts'
import { findArchive } from './find-artifact.ts'
import { artifactFiles, storeArtifact } from './store-artifact.ts'

const formats = ['zip', 'gzip', 'raw'] as const
const ByJobId = Type.Object({ id: Type.Integer() })

/** How a runner uploads what a job leaves, and fetches what earlier jobs left. */
export const artifactUploadRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform

  app.post(
    '/jobs/:id/artifacts',
    {
      config: { role: 'runner', hasMessage: true, hasLongBody: true },
      schema: {
        summary: 'Upload artifacts of a job',
        description: 'For runners. `multipart/form-data` with one `file`.',
        params: ByJobId,
        querystring: Type.Object({
          artifact_type: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: '`archive`, or the kind of a report.' })),
          artifact_format: Type.Optional(Type.Enum([...formats])),
          expire_in: Type.Optional(Type.String({ maxLength: 255 }))
        }),
        response: { 201: Type.Object({ message: Type.String() }) }
      }
    },
    async (request, reply) => {
      const { artifact_type: type = 'archive', artifact_format: format = 'zip', expire_in: expireIn } = request.query
      const em = fork()
      const job = await findReported(em, request, request.params.id)

      if (job.status !== 'running') throw new NotRunning(job.status)
      if (type === 'archive' && format !== 'zip') throw new BadParameter('artifact_format of an archive must be zip')
      if (type === 'dotenv' && format !== 'gzip') throw new BadParameter('artifact_format of a dotenv report must be gzip')
      const { filename, file } = await readFile(request, type === 'dotenv' ? maxDotenvBytes : config.jobArtifacts.bytes)
      const content = type === 'dotenv' ? Readable.from([await storeVariables(em, config, job, file)]) : file

      await storeArtifact(em, config, job, { type, format, expireIn, filename: filename.slice(-255), content }, new Date())

      return reply.code(201).send({ message: '201 Created' })
    }
  )

  app.get(
    '/jobs/:id/artifacts',
    {
      config: { role: 'runner' },
      schema: {
        summary: 'Download the archive of an earlier job',
        description: 'For runners, with the token of a running job of the same project.',
        params: ByJobId,
        response: { 200: Download('application/zip') }
      }
    },
    async (request, reply) => {
      const em = fork()
      const asking = await findByToken(em, request)
      const job = await em.findOne(Job, { id: request.params.id, projectId: asking.projectId })

      if (asking.status !== 'running') throw new NotRunning(asking.status)
      if (!job) throw new NotFound()
      const archive = await findArchive(em, job.id, Role.owner)

      asDownload(reply, archive.filename, 'application/zip').header('content-length', archive.size)

      return reply.send(createReadStream(artifactFiles(config).pathOf(archive.storedAs)) as never)
    }
  )
}

async function readFile(request: FastifyRequest, maxBytes: number) {
  if (!request.isMultipart()) throw new BadRequest('send the file as multipart/form-data')
  const part = await request.file({ limits: { fileSize: maxBytes + 1 } })

  if (!part) throw new BadParameter('file is missing: send it as multipart/form-data')

  return part
}
