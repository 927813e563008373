import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { recordAuditEvent } from '#audit/record-audit-event.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { ById } from '#projects/schemas.ts'
import { findReadable } from '#projects/visibility/find-readable.ts'
import { readableProjectsOf } from '#projects/visibility/readable-projects.ts'
import { findRepository } from './find-repository.ts'
import { ImageRepository } from './image-repository.ts'
import { deleteImages } from './jobs.ts'
import { listRepositories } from './list-repositories.ts'
import { presentRepository, RepositoryShape } from './present-repository.ts'
import { RegistryClient } from './registry-client.ts'

const TagOptions = {
  tags: Type.Optional(Type.Boolean({ description: 'Adds the tags.' })),
  tags_count: Type.Optional(Type.Boolean({ description: 'Adds the number of tags.' }))
}
const ByRepository = Type.Object({ ...ById.properties, repository_id: Type.Integer() })

/** Container images of projects. Those who read the code see them, developers delete them. */
export const repositoryRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, queues } = app.platform
  const { registry } = config

  app.get(
    '/projects/:id/registry/repositories',
    {
      config: { role: 'anyone', privateRole: 'reporter', allowsJobToken: true },
      schema: {
        summary: 'List the registry repositories of a project',
        params: ById,
        querystring: Type.Object({ ...paging, ...TagOptions }),
        response: { 200: Type.Array(RepositoryShape) }
      }
    },
    async (request, reply) => {
      const { project } = await findReadable(request.em, request, request.params.id)
      const repositories = await offsetPage(request, reply, listRepositories(request.em, [project.id]))

      return present(request.em, repositories, request.query)
    }
  )

  app.get(
    '/groups/:id/registry/repositories',
    {
      config: { role: 'guest' },
      schema: {
        summary: 'List the registry repositories of the projects of a group',
        description: 'Only in projects whose code the caller can read.',
        params: ById,
        querystring: Type.Object({ ...paging, tags_count: TagOptions.tags_count }),
        response: { 200: Type.Array(RepositoryShape) }
      }
    },
    async (request, reply) => {
      const group = await findGroup(request.em, request.user, request.params.id)
      const repositories = await offsetPage(
        request,
        reply,
        listRepositories(request.em, await readableProjectsOf(request.em, request.user, group.id))
      )

      return present(request.em, repositories, request.query)
    }
  )

  app.get(
    '/registry/repositories/:repository_id',
    {
      config: { role: 'reporter' },
      schema: {
        summary: 'Get a registry repository',
        params: Type.Object({ repository_id: Type.Integer() }),
        querystring: Type.Object(TagOptions),
        response: { 200: RepositoryShape }
      }
    },
    async request => {
      const repository = await request.em.findOne(ImageRepository, { id: request.params.repository_id, projectId: { $ne: null } })

      if (!repository) throw new NotFound('Repository')
      // Who does not see the project does not learn of it.
      await findReadable(request.em, request, String(repository.projectId)).catch(() => {
        throw new NotFound('Repository')
      })

      return (await present(request.em, [repository], request.query))[0]!
    }
  )

  app.delete(
    '/projects/:id/registry/repositories/:repository_id',
    {
      config: { role: 'developer' },
      schema: {
        summary: 'Delete a registry repository with its images',
        params: ByRepository,
        response: { 202: Type.Object({ message: Type.String() }) }
      }
    },
    async (request, reply) => {
      const { project, role } = await findReadable(request.em, request, request.params.id)

      if (role < Role.developer) throw new Forbidden()
      const repository = await findRepository(request.em, project, request.params.repository_id)

      await request.em.transactional(async em => {
        recordAuditEvent(em, request.actor, {
          name: 'container_repository_deleted',
          entity: project.audited(),
          details: { path: repository.path }
        })
        await em.nativeUpdate(ImageRepository, { id: repository.id }, { isDeleting: true })
      })
      await queues
        .enqueue(deleteImages, {})
        .catch(error => request.log.warn({ err: error }, 'failed to enqueue the deletion of images; it begins within five minutes'))

      return reply.code(202).send({ message: '202 Accepted' })
    }
  )

  async function present(
    em: EntityManager,
    repositories: ImageRepository[],
    { tags: withTags, tags_count: withCount }: Static<typeof Query>
  ) {
    const projects = await em.find(Project, { id: { $in: repositories.map(({ projectId }) => projectId!) } })

    return Promise.all(
      repositories.map(async repository => {
        const tags = registry && (withTags || withCount) ? await new RegistryClient(registry, repository.path).listTags() : []
        const project = projects.find(({ id }) => id === repository.projectId)!

        return presentRepository(repository, { registry, project, tags, withTags, withCount })
      })
    )
  }
}

const Query = Type.Object(TagOptions)
