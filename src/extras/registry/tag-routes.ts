import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { isOffsetRemoved } from '#api/deprecations/deprecations.ts'
import { isKeyset, keysetOrder, keysetParameters, sendKeyset } from '#api/pagination/keyset.ts'
import { offsetPage, paging, perPageOf } from '#api/pagination/offset.ts'
import { readNumbered } from '#api/pagination/page.ts'
import { compileBounded } from '#lib/bounded-regex.ts'
import { parseDuration } from '#lib/duration.ts'
import { definedIn } from '#lib/json.ts'
import { Forbidden, InvalidInput, NotFound } from '#lib/refusals.ts'
import { rowsInMemory } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { Accepted, ById } from '#projects/schemas.ts'
import { findReadable } from '#projects/visibility/find-readable.ts'
import { clientOf, findRepository } from './find-repository.ts'
import { deleteTags } from './jobs.ts'
import { readCreated } from './manifest.ts'
import { presentManifest, presentTag, TagDetails, TagShape } from './present-repository.ts'

const ByRepository = Type.Object({ ...ById.properties, repository_id: Type.Integer() })
const ByTag = Type.Object({ ...ByRepository.properties, tag_name: Type.String() })

const Regex = Type.String({ maxLength: 1000, description: 'An RE2 expression that matches whole names.' })
const Selection = Type.Object({
  name_regex_delete: Type.Optional(Regex),
  name_regex: Type.Optional(Type.String({ maxLength: 1000, description: 'Former name of `name_regex_delete`.' })),
  name_regex_keep: Type.Optional(Regex),
  keep_n: Type.Optional(Type.Integer({ minimum: 0, description: 'How many of the latest matching images to keep.' })),
  older_than: Type.Optional(Type.String({ maxLength: 100, description: 'Only images older than this, such as `1 month`.' }))
})

/** The tags of a repository of container images. */
export const tagRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, queues } = app.platform
  const { registry } = config
  const path = '/projects/:id/registry/repositories/:repository_id/tags'
  const forReaders = {
    config: { role: 'anyone' as const, privateRole: 'reporter' as const, allowsJobToken: true as const }
  }

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
      const { repository, client } = await findTags(request)
      const tags = await client.listTags()
      const rows =
        isOffsetRemoved(request, 'registry-tags-offset') || isKeyset(request)
          ? await pageAfterTag(request, reply, tags)
          : await offsetPage(request, reply, rowsInMemory(tags))

      return rows.map(name => presentTag(registry, repository, name))
    }
  )

  app.get(
    `${path}/:tag_name`,
    { ...forReaders, schema: { summary: 'Get a tag of a registry repository', params: ByTag, response: { 200: TagDetails } } },
    async request => {
      const name = tagOf(request)
      const { repository, client } = await findTags(request)
      const manifest = await client.findManifest(name)

      if (!manifest) throw new NotFound('Tag')
      const createdAt = manifest.config && readCreated(await client.readBlob(manifest.config))

      return { ...presentTag(registry, repository, name), ...presentManifest(manifest, createdAt) }
    }
  )

  app.delete(
    path,
    {
      config: { role: 'maintainer' },
      schema: {
        summary: 'Delete tags of a registry repository whose names match',
        description: 'A worker deletes them. `latest` is kept.',
        params: ByRepository,
        querystring: Selection,
        response: { 202: Accepted }
      }
    },
    async (request, reply) => {
      const { repository } = await findTags(request, Role.maintainer)

      await queues.enqueue(deleteTags, { repositoryId: repository.id, ...readSelection(request.query) })

      return reply.code(202).send({ message: '202 Accepted' })
    }
  )

  app.delete(
    `${path}/:tag_name`,
    {
      config: { role: 'developer' },
      schema: { summary: 'Delete a tag of a registry repository', params: ByTag, response: { 200: Type.Object({}) } }
    },
    async request => {
      const name = tagOf(request)
      const { client } = await findTags(request, Role.developer)

      if (!(await client.deleteTag(name))) throw new NotFound('Tag')

      return {}
    }
  )

  async function findTags(request: FastifyRequest, minRole = 0) {
    const { id, repository_id: repositoryId } = request.params as { id: string; repository_id: number }
    const { project, role } = await findReadable(request.em, request, id)

    if (role < minRole) throw new Forbidden()
    const repository = await findRepository(request.em, project, repositoryId)

    return { repository, client: clientOf(registry, repository) }
  }
}

/** Its links have the last name instead of a cursor. */
async function pageAfterTag(request: FastifyRequest<{ Querystring: { last?: string } }>, reply: FastifyReply, tags: string[]) {
  const { last } = request.query
  const sort = isKeyset(request) ? keysetOrder(request, { name: ['asc', 'desc'] }).sort : 'asc'
  const sorted = sort === 'asc' ? tags : tags.toReversed()
  const rest = last === undefined ? sorted : sorted.filter(name => (sort === 'asc' ? name > last : name < last))
  const page = await readNumbered(rowsInMemory(rest), 1, perPageOf(request.query))

  return sendKeyset(request, reply, page, last => ({ last, pagination: 'keyset', order_by: 'name', sort }))
}

/** The distribution specification's form of tags. */
function tagOf(request: FastifyRequest) {
  const { tag_name: name } = request.params as { tag_name: string }

  if (!/^\w[\w.-]{0,127}$/.test(name)) throw new InvalidInput("tag_name can contain only letters, digits, '_', '.' and '-', at most 128")

  return name
}

function readSelection({ name_regex_delete: given, name_regex: former, ...query }: Static<typeof Selection>) {
  const nameRegexDelete = given ?? former
  const nameRegexKeep = query.name_regex_keep || undefined
  const olderThanSeconds = query.older_than ? parseDuration(query.older_than, secondsOf, 's') : undefined

  if (!nameRegexDelete) throw new InvalidInput('name_regex_delete is missing')
  for (const [name, regex] of Object.entries({ name_regex_delete: nameRegexDelete, name_regex_keep: nameRegexKeep })) {
    if (regex && !compileBounded(regex)) throw new InvalidInput(`${name} is an invalid regexp`)
  }
  if (query.older_than && olderThanSeconds === undefined) throw new InvalidInput('older_than is not a duration, such as 1 month')

  return { nameRegexDelete, ...definedIn({ nameRegexKeep, latestKept: query.keep_n, olderThanSeconds }) }
}

const day = 24 * 3600
const secondsOf = { s: 1, m: 60, h: 3600, d: day, w: 7 * day, mo: 30 * day, y: 365 * day }
