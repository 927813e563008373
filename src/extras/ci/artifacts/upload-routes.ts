import { createReadStream } from 'node:fs'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Download } from '#api/openapi/describe-response.ts'
import { readParts } from '#api/parameters/multipart.ts'
import { readUploadOptions, UploadOptions } from '#extras/ci/artifacts/upload-schemas.ts'
import { asDownload } from '#extras/source-code/files/send-stream.ts'
import { InvalidInput, NotFound, Rejected } from '#lib/refusals.ts'
import type { StoredFile } from '#platform/file-store.ts'
import { Role } from '#projects/members/member.ts'
import { findByToken, findReported, NotRunning } from '../execution/running-job.ts'
import { Job } from '../jobs/job.ts'
import { findArchive } from './find-artifact.ts'
import { artifactFiles, storeArtifact, storeFile } from './store-artifact.ts'

const ByJobId = Type.Object({ id: Type.Integer() })

/** How a runner uploads what a job leaves, and fetches what earlier jobs left. */
export const artifactUploadRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.post(
    '/jobs/:id/artifacts',
    {
      config: { role: 'runner', hasMessage: true, hasLongBody: true },
      schema: {
        summary: 'Upload artifacts of a job',
        description: 'For runners. `multipart/form-data` with one `file`; the parameters may also be fields of the form.',
        params: ByJobId,
        querystring: UploadOptions,
        response: { 201: Type.Object({ message: Type.String() }) }
      }
    },
    async (request, reply) => {
      const job = await findReported(request, request.params.id)

      if (job.status !== 'running') throw new NotRunning(job.status)
      const access = {
        maxBytes: config.jobArtifacts.bytes,
        store: (content: AsyncIterable<Buffer>) => storeFile(request.em, config, job, content),
        remove: (name: string) => artifactFiles(config).remove(name)
      }

      await receiveUpload(request, access, ({ fields, ...upload }) =>
        storeArtifact(request.em, config, job, { ...readUploadOptions(request.query, fields), ...upload }, new Date())
      )

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
      const asking = await findByToken(request.em, request)
      const job = await request.em.findOne(Job, { id: request.params.id, projectId: asking.projectId })

      if (asking.status !== 'running') throw new NotRunning(asking.status)
      if (!job) throw new NotFound()
      const archive = await findArchive(request.em, job.id, Role.owner)

      asDownload(reply, archive.filename, 'application/zip').header('content-length', archive.size)

      return reply.send(createReadStream(artifactFiles(config).pathOf(archive.storedAs)) as never)
    }
  )
}

interface FileAccess {
  maxBytes: number
  store(content: AsyncIterable<Buffer>): Promise<StoredFile>
  remove(name: string): Promise<void>
}

interface ReceivedUpload {
  filename: string
  file: StoredFile
  /** The text fields of the form, before and after the file. */
  fields: Record<string, unknown>
}

/** Stores the file of a multipart request while it arrives. Nothing is left when the request is refused. */
async function receiveUpload(request: FastifyRequest, access: FileAccess, use: (upload: ReceivedUpload) => Promise<void>) {
  if (!request.isMultipart()) throw new Rejected('send the file as multipart/form-data')
  const fields = new Map<string, unknown>()
  let received: Pick<ReceivedUpload, 'filename' | 'file'> | undefined

  try {
    for await (const part of readParts(request, { fileSize: access.maxBytes + 1 })) {
      if (part.type === 'field') fields.set(part.name, part.value)
      else if (received) throw new InvalidInput('file is given twice')
      else received = { filename: part.filename.slice(-255), file: await access.store(part.content) }
    }
    if (!received) throw new InvalidInput('file is missing: send it as multipart/form-data')
    await use({ ...received, fields: Object.fromEntries(fields) })
  } catch (error) {
    if (received) await access.remove(received.file.name)
    throw error
  }
}
