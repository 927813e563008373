import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { BadParameter } from '../http/problems.ts'
import { callerOf } from '../identity/identify.ts'
import { createProject } from './create.ts'
import { findProject } from './find.ts'
import { NewProjectBody, ProjectShape, presentProject } from './schemas.ts'

export const projectRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform

  app.post(
    '/projects',
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: 'Create a project', body: NewProjectBody, response: { 201: ProjectShape } }
    },
    async (request, reply) => {
      const { name, path, description, visibility, namespace_id: namespaceId } = request.body

      if (!name && !path) throw new BadParameter('name, path are missing, at least one parameter must be provided')
      const project = await createProject(fork(), callerOf(request), { name, path, description, visibility, namespaceId })

      return reply.code(201).send(presentProject(project, config.baseUrl))
    }
  )

  app.get(
    '/projects/:id',
    {
      onRequest: app.requireUser,
      config: { role: 'guest' },
      schema: { summary: 'A project', params: Type.Object({ id: Type.String() }), response: { 200: ProjectShape } }
    },
    async request => presentProject(await findProject(fork(), callerOf(request), request.params.id), config.baseUrl)
  )
}
