import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { isOffsetRemoved } from '../http/deprecations/deprecations.ts'
import { isKeyset, keysetOrder, keysetPage, keysetParameters, type Sort } from '../http/pagination/keyset.ts'
import { offsetPage, paging, perPageOf } from '../http/pagination/offset.ts'
import { BadParameter, Forbidden, NotFound } from '../http/problems/problems.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { Role } from '../projects/members/member.ts'
import { ById } from '../projects/schemas.ts'
import { findReadable } from '../source-code/find-readable.ts'
import { clientOf, findRepository } from './find-repository.ts'
import { presentManifest, presentTag, TagDetails, TagShape } from './present-repository.ts'

const ByRepository = Type.Object({ ...ById.properties, repository_id: Type.Integer() })
const ByTag = Type.Object({ ...ByRepository.properties, tag_name: Type.String() })

/** The tags of a repository of container images. */
export const tagRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const { registry } = config
  const path = '/projects/:id/registry/repositories/:repository_id/tags'
  const forReaders = { onRequest: app.allowAnyone, config: { role: 'anyone' as const, allowsJobToken: true as const } }

  app.get(
    path,
    {
      ...forReaders,
      config: { ...forReaders.config, deprecation: 'registry-tags-offset' },
      schema: {
        summary: 'List the tags of a registry repository',
        description: 'By name.',
        params: ByRepository,
        querystring: Type.Object({
          ...paging,
          ...keysetParameters,
          last: Type.Optional(Type.String({ description: 'The name after which a keyset page begins; taken from a `Link` header.' }))
        }),
        response: { 200: Type.Array(TagShape) }
      }
    },
    async (request, reply) => {
      const { repository, client } = await findTags(fork(), request)
      const tags = await client.listTags()
      const rows =
        isOffsetRemoved(request, 'registry-tags-offset') || isKeyset(request)
          ? keysetPage(request, reply, pageOf(tags, request), last => ({
              last,
              pagination: 'keyset',
              order_by: 'name',
              sort: sortOf(request)
            }))
          : await offsetPage(request, reply, rowsOf(tags))

      return rows.map(name => presentTag(registry, repository, name))
    }
  )

  app.get(
    `${path}/:tag_name`,
    { ...forReaders, schema: { summary: 'Get a tag of a registry repository', params: ByTag, response: { 200: TagDetails } } },
    async request => {
      const name = tagOf(request)
      const { repository, client } = await findTags(fork(), request)
      const manifest = await client.findManifest(name)

      if (!manifest) throw new NotFound('Tag')
      const createdAt = manifest.config && readCreated(await client.readBlob(manifest.config))

      return { ...presentTag(registry, repository, name), ...presentManifest(manifest, createdAt) }
    }
  )

  app.delete(
    `${path}/:tag_name`,
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: { summary: 'Delete a tag of a registry repository', params: ByTag, response: { 200: Type.Object({}) } }
    },
    async request => {
      const name = tagOf(request)
      const { client } = await findTags(fork(), request, Role.developer)

      if (!(await client.deleteTag(name))) throw new NotFound('Tag')

      return {}
    }
  )

  async function findTags(em: EntityManager, request: FastifyRequest, minRole = 0) {
    const { id, repository_id: repositoryId } = request.params as { id: string; repository_id: number }
    const { project, role } = await findReadable(em, request, id)

    if (role < minRole) throw new Forbidden()
    const repository = await findRepository(em, project, repositoryId)

    return { repository, client: clientOf(registry, repository) }
  }
}

/** One name more than a page. */
function pageOf(tags: string[], request: FastifyRequest<{ Querystring: { last?: string } }>) {
  const sort = sortOf(request)
  const { last } = request.query
  const sorted = sort === 'asc' ? tags : tags.toReversed()
  const rest = last === undefined ? sorted : sorted.filter(name => (sort === 'asc' ? name > last : name < last))

  return rest.slice(0, perPageOf(request.query) + 1)
}

function sortOf(request: FastifyRequest): Sort {
  return isKeyset(request) ? keysetOrder(request, { name: ['asc', 'desc'] }).sort : 'asc'
}

function rowsOf(tags: string[]) {
  return {
    list: async (limit: number, offset: number) => tags.slice(offset, offset + limit),
    count: async () => tags.length
  }
}

/** The distribution specification's form of tags. */
function tagOf(request: FastifyRequest) {
  const { tag_name: name } = request.params as { tag_name: string }

  if (!/^\w[\w.-]{0,127}$/.test(name)) throw new BadParameter("tag_name can contain only letters, digits, '_', '.' and '-', at most 128")

  return name
}

function readCreated(config: string | undefined) {
  const { created } = JSON.parse(config ?? '{}') as { created?: unknown }
  const at = typeof created === 'string' ? new Date(created) : undefined

  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined
}
