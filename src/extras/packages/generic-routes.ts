import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Download } from '#api/openapi/describe-response.ts'
import { Job } from '#extras/ci/jobs/job.ts'
import { asDownload } from '#extras/source-code/files/send-stream.ts'
import { Forbidden, InvalidInput } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { findReadable } from '#projects/visibility/find-readable.ts'
import { findFile, findPackage } from './find-package.ts'
import { packageStatuses } from './package.ts'
import { rememberDownload } from './package-store.ts'
import { PackageFileShape, presentFile } from './present-package.ts'
import { packageFiles, publishFile } from './publish-file.ts'

const ByName = Type.Object({
  ...ById.properties,
  package_name: Type.String(),
  package_version: Type.String(),
  file_name: Type.String({ description: 'May contain folders.' })
})

/** Files of any kind, by the name and the version of their package. */
export const genericPackageRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const path = '/projects/:id/packages/generic/:package_name/:package_version/:file_name'

  passBodiesOn(app)
  app.put(
    path,
    {
      config: { role: 'developer', allowsJobToken: true, hasMessage: true, hasLongBody: true },
      schema: {
        summary: 'Publish a file of a generic package',
        description: 'The body is the file, or a form with a `file` field. The first file creates the package.',
        params: ByName,
        querystring: Type.Object({
          status: Type.Optional(Type.Enum([...packageStatuses], { description: '`hidden` leaves the package out of lists.' })),
          select: Type.Optional(Type.Enum(['package_file'], { description: 'Responds with the file.' }))
        }),
        response: { 201: Type.Union([PackageFileShape, Type.Object({ message: Type.String() })]) }
      }
    },
    async (request, reply) => {
      const { id, package_name: name, package_version: version, file_name: fileName } = request.params
      const { project, role } = await findReadable(request.em, request, id)

      if (role < Role.developer) throw new Forbidden()
      checkNames(name, version, fileName)
      const file = await publishFile(request.em, config, {
        project,
        package: { type: 'generic', name, version, status: request.query.status, creatorId: request.user.id },
        ...{ name: fileName, pipelineId: await pipelineOf(request.em, request), content: await contentOf(request, config.packages.bytes) }
      })

      return reply.code(201).send(request.query.select ? presentFile(file) : { message: '201 Created' })
    }
  )

  app.get(
    path,
    {
      config: { role: 'anyone', privateRole: 'reporter', allowsJobToken: true },
      schema: { summary: 'Download a file of a generic package', params: ByName, response: { 200: Download('application/octet-stream') } }
    },
    async (request, reply) => {
      const { id, package_name: name, package_version: version, file_name: fileName } = request.params
      const { project } = await findReadable(request.em, request, id)
      const found = await findPackage(request.em, project, { type: 'generic', name, version })
      const file = await findFile(request.em, found, { name: fileName })

      await rememberDownload(request.em, found.id, new Date())

      return asDownload(reply, fileName.split('/').at(-1)!, 'application/octet-stream')
        .headers({ 'content-length': file.size, etag: `"${Buffer.from(file.sha256).toString('hex')}"` })
        .send(createReadStream(packageFiles(config).pathOf(file.storedAs))) as never
    }
  )
}

/** Bodies of any type are streams, but for forms. */
function passBodiesOn(app: FastifyInstance) {
  app.removeContentTypeParser(['application/x-www-form-urlencoded', '*'])
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/** Some clients send a form. */
async function contentOf(request: FastifyRequest, maxBytes: number): Promise<Readable> {
  if (!request.isMultipart()) return request.body instanceof Readable ? request.body : Readable.from([])
  const part = await request.file({ limits: { fileSize: maxBytes + 1 } })

  if (!part) throw new InvalidInput('file is missing: send the file as the body, or in a form as file')

  return part.file
}

async function pipelineOf(em: EntityManager, { caller }: FastifyRequest) {
  if (caller?.by.kind !== 'job') return null
  const { pipeline } = await em.findOneOrFail(Job, { id: caller.by.jobId })

  return pipeline.id
}

const maxLength = 255

/** The names of GitLab's generic packages. */
function checkNames(name: string, version: string, fileName: string) {
  if (!isName(name)) throw new InvalidInput("package_name can contain only letters, digits, '.', '_', '-' and '+', at most 255")
  if (!isName(version)) throw new InvalidInput("package_version can contain only letters, digits, '.', '_', '-' and '+', at most 255")
  if (!isFileName(fileName))
    throw new InvalidInput("file_name can contain only letters, digits, '.', '_', '-', '+', '~', '@' and '/', at most 255, without '..'")
}

function isName(text: string) {
  return /^[\w.+-]+$/.test(text) && text.length <= maxLength && !text.includes('..')
}

function isFileName(text: string) {
  const segments = text.split('/')

  return text.length <= maxLength && segments.every(segment => /^[\w.+~@-]+$/.test(segment) && segment !== '.' && segment !== '..')
}
