import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { Download } from '../../http/openapi/describe-response.ts'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { disposition } from '../../http/parameters/file-name.ts'
import { Nullable } from '../../http/parameters/nullable.ts'
import { BadParameter, NotFound } from '../../http/problems/problems.ts'
import { callerOf, viewerOf } from '../../identity/identify.ts'
import type { User } from '../../identity/users/user.ts'
import { imageHeaders, typeOfName } from '../../lib/image-type.ts'
import { findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { presentPerson } from '../present-project.ts'
import { ById, Person } from '../schemas.ts'
import { deleteUpload, maxUploadBytes, ProjectUpload, storeUpload, uploadFiles } from './project-upload.ts'

const NewUploadShape = Type.Object({
  id: Type.Integer(),
  alt: Type.String(),
  url: Type.String(),
  full_path: Type.String(),
  markdown: Type.String()
})
const UploadShape = Type.Object({
  id: Type.Integer(),
  size: Type.Integer(),
  filename: Type.String(),
  created_at: Type.String(),
  uploaded_by: Nullable(Person)
})
const FileParams = Type.Object({
  ...ById.properties,
  secret: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  filename: Type.String({ maxLength: 255 })
})
const UploadParams = Type.Object({ ...ById.properties, upload_id: Type.Integer() })

/** Files that users attach to texts in a project. */
export const uploadRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const path = '/projects/:id/uploads'
  const forMaintainers = { onRequest: app.requireUser, config: { role: 'maintainer' as const } }

  app.post(
    path,
    {
      onRequest: app.requireUser,
      config: { role: 'reporter', files: { max: 1, bytes: maxUploadBytes, field: 'file', isRequired: true } },
      schema: { summary: 'Upload a file, to link it in a text', params: ById, body: Type.Object({}), response: { 201: NewUploadShape } }
    },
    async (request, reply) => {
      const em = fork()
      const caller = callerOf(request)
      const project = await findProject(em, caller, request.params.id, Role.reporter)
      const file = request.uploads?.find(({ field }) => field === 'file')

      if (!file) throw new BadParameter('file is missing: send it as multipart/form-data')

      return reply.code(201).send(presentNew(await storeUpload(em, config, project.id, caller.id, file)))
    }
  )

  app.get(
    path,
    {
      ...forMaintainers,
      schema: {
        summary: 'List uploaded files, newest first',
        params: ById,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(UploadShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { id: projectId } = await findProject(em, callerOf(request), request.params.id, Role.maintainer)
      const uploads = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(ProjectUpload, { projectId }, { orderBy: { id: 'desc' }, populate: ['user'], limit, offset }),
        count: () => em.fork().count(ProjectUpload, { projectId })
      })

      return uploads.map(({ id, size, filename, createdAt, user }) => ({
        id,
        size,
        filename,
        created_at: createdAt.toISOString(),
        uploaded_by: user ? presentPerson(user as User, config.baseUrl) : null
      }))
    }
  )

  app.get(
    `${path}/:secret/:filename`,
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: {
        summary: 'Download an uploaded file',
        params: FileParams,
        response: { 200: Download('application/octet-stream', 'image/*') }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { secret, filename } = request.params
      const project = await findProject(em, viewerOf(request), request.params.id)
      const upload = await em.findOne(ProjectUpload, { projectId: project.id, secret, filename })
      const data = upload && (await uploadFiles(config).read(upload.storedAs))

      if (!data) throw new NotFound('Upload')

      return sendFile(reply, filename, data)
    }
  )

  app.delete(
    `${path}/:upload_id`,
    { ...forMaintainers, schema: { summary: 'Delete an uploaded file', params: UploadParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()
      const { id: projectId } = await findProject(em, callerOf(request), request.params.id, Role.maintainer)
      const upload = await em.findOne(ProjectUpload, { id: request.params.upload_id, projectId })

      if (!upload) throw new NotFound('Upload')
      await deleteUpload(em, upload, actorOf(request))

      return reply.code(204).send(null)
    }
  )
}

function presentNew({ id, projectId, secret, filename }: ProjectUpload) {
  const url = `/uploads/${secret}/${filename}`

  return {
    id,
    alt: filename,
    url,
    full_path: `/api/v4/projects/${projectId}${url}`,
    markdown: `${typeOfName(filename) ? '!' : ''}[${filename}](${url})`
  }
}

/** Only images are shown; a browser downloads everything else. */
function sendFile(reply: FastifyReply, filename: string, data: Buffer) {
  const type = typeOfName(filename)

  return reply
    .headers({
      ...imageHeaders(type ?? 'application/octet-stream'),
      'content-disposition': disposition(type ? 'inline' : 'attachment', filename),
      'cache-control': 'private, max-age=3600'
    })
    .send(data)
}
