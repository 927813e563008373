import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { NotFound } from '#lib/refusals.ts'
import { byIdOrPath } from '#projects/find-project.ts'
import { Project } from '#projects/project.ts'
import { ById } from '#projects/schemas.ts'
import { findRepository } from '#repositories/find-repository.ts'

const ProjectStorage = Type.Object({
  project_id: Type.Integer(),
  disk_path: Type.String({ description: 'On the storage, without .git.' }),
  created_at: Type.String(),
  repository_storage: Type.String()
})

/** Where the repository of a project lies. */
export const projectStorageRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/projects/:id/storage',
    {
      config: { role: 'admin' },
      schema: { summary: 'Get the storage of a project', params: ById, response: { 200: ProjectStorage } }
    },
    async ({ em, params }) => {
      const project = await em.findOne(Project, byIdOrPath(params.id))

      if (!project) throw new NotFound('Project')
      const { storage, path } = await findRepository(em, { projectId: project.id })

      return {
        project_id: project.id,
        disk_path: path.replace(/\.git$/, ''),
        created_at: project.createdAt.toISOString(),
        repository_storage: storage
      }
    }
  )
}
