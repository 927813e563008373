import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { readUnmodifiedSince } from '#api/conditional-requests.ts'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { NotFound } from '#lib/refusals.ts'
import { rowsInMemory } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { findRef, listRefs } from '#repositories/objects/list-refs.ts'
import { findCode } from '../find-code.ts'
import { writeCode } from '../write-code.ts'
import { createTag, deleteTag, presentTags, TagShape } from './tags.ts'

const ByTag = Type.Object({ ...ById.properties, tag: Type.String() })
const NewTag = Type.Object({
  tag_name: Type.String({ minLength: 1 }),
  ref: Type.String({ minLength: 1, description: 'A branch, a tag or a sha.' }),
  message: Type.Optional(Type.String({ maxLength: 1_000_000, description: 'Creates an annotated tag.' }))
})
const TagsQuery = Type.Object({
  ...paging,
  search: Type.Optional(Type.String({ description: 'Part of the name. `^` anchors it to the start, `$` to the end.' })),
  order_by: Type.Optional(Type.Enum(['name', 'updated', 'version'], { default: 'updated' })),
  sort: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' }))
})

const orders = { name: 'refname', updated: 'creatordate', version: 'version:refname' }

export const tagRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform
  const path = '/projects/:id/repository/tags'
  const forReaders = { config: { role: 'anyone' as const, privateRole: 'reporter' as const } }
  const forDevelopers = { config: { role: 'developer' as const } }
  const urlOf = ({ fullPath }: { fullPath: string }) => `${config.baseUrl}/${fullPath}`

  app.get(
    path,
    { ...forReaders, schema: { summary: 'List tags', params: ById, querystring: TagsQuery, response: { 200: Type.Array(TagShape) } } },
    async (request, reply) => {
      const { search, order_by: order = 'updated', sort } = request.query
      const { project, repo } = await findCode(request.em, git, request.viewer, request.params.id)
      const tags = repo ? await listRefs(repo, 'refs/tags/', { search, sort: `${sort === 'asc' ? '' : '-'}${orders[order]}` }) : []
      const page = await offsetPage(request, reply, rowsInMemory(tags))

      return repo ? presentTags(repo, page, urlOf(project)) : []
    }
  )

  app.get(
    `${path}/:tag`,
    { ...forReaders, schema: { summary: 'Get a tag', params: ByTag, response: { 200: TagShape } } },
    async ({ em, viewer, params }) => {
      const { project, repo } = await findCode(em, git, viewer, params.id)
      const tag = await findRef(repo, 'refs/tags/', params.tag)

      if (!repo || !tag) throw new NotFound('Tag')

      return (await presentTags(repo, [tag], urlOf(project)))[0]!
    }
  )

  app.post(
    path,
    { ...forDevelopers, schema: { summary: 'Create a tag', params: ById, body: NewTag, response: { 201: TagShape } } },
    async ({ em, user, actor, params, body }, reply) => {
      const { tag_name: name, ref, message } = body
      const code = await findCode(em, git, user, params.id, Role.developer)
      const { repo, changes } = await writeCode(app.platform, code, actor, repo => createTag(repo, name, ref, { message, tagger: user }))
      const target = changes[0]!.after
      const commit = await repo.text(['rev-parse', `${target}^{commit}`])

      return reply.code(201).send((await presentTags(repo, [{ name, target, commit }], urlOf(code.project)))[0]!)
    }
  )

  app.delete(
    `${path}/:tag`,
    { ...forDevelopers, schema: { summary: 'Delete a tag', params: ByTag, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const code = await findCode(request.em, git, request.user, request.params.id, Role.developer)

      if (!code.repo) throw new NotFound('Tag')
      await writeCode(app.platform, code, request.actor, repo => deleteTag(repo, request.params.tag, readUnmodifiedSince(request)))

      return reply.code(204).send(null)
    }
  )
}
