import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { readUnmodifiedSince } from '#api/conditional-requests.ts'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import { rowsInMemory } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { Accepted, ById } from '#projects/schemas.ts'
import { findRef, listRefs } from '#repositories/objects/list-refs.ts'
import { findCode } from '../find-code.ts'
import { writeCode } from '../write-code.ts'
import { checkBranchName, createBranch, createDefaultBranch, deleteBranch, deleteMergedBranches } from './change-branches.ts'
import { BranchShape, presentBranches } from './present-branches.ts'

const ByBranch = Type.Object({ ...ById.properties, branch: Type.String() })
const NewBranch = Type.Object({
  branch: Type.String({ minLength: 1 }),
  ref: Type.String({ minLength: 1, description: 'A branch, a tag or a sha.' })
})
const BranchesQuery = Type.Object({
  ...paging,
  search: Type.Optional(Type.String({ description: 'Part of the name. `^` anchors it to the start, `$` to the end.' })),
  regex: Type.Optional(Type.String({ description: 'Not supported: 400.' })),
  sort: Type.Optional(Type.Enum(['name_asc', 'updated_asc', 'updated_desc']))
})

const sorts = { name_asc: 'refname', updated_asc: 'committerdate', updated_desc: '-committerdate' }

export const branchRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform
  const path = '/projects/:id/repository/branches'
  const forReaders = { config: { role: 'anyone' as const, privateRole: 'reporter' as const } }
  const forDevelopers = { config: { role: 'developer' as const } }

  app.get(
    path,
    {
      ...forReaders,
      schema: { summary: 'List branches', params: ById, querystring: BranchesQuery, response: { 200: Type.Array(BranchShape) } }
    },
    async (request, reply) => {
      const { search, regex, sort = 'name_asc' } = request.query
      const code = await findCode(request.em, git, request.viewer, request.params.id)

      if (regex) throw new InvalidInput('regex is not supported: use search')
      const branches = code.repo ? await listRefs(code.repo, 'refs/heads/', { search, sort: sorts[sort] }) : []
      const page = await offsetPage(request, reply, rowsInMemory(branches))

      return code.repo ? presentBranches(code.repo, code, page, config.baseUrl) : []
    }
  )

  app.get(
    `${path}/:branch`,
    { ...forReaders, schema: { summary: 'Get a branch', params: ByBranch, response: { 200: BranchShape } } },
    async ({ em, viewer, params }) => {
      const code = await findCode(em, git, viewer, params.id)
      const branch = await findRef(code.repo, 'refs/heads/', params.branch)

      if (!code.repo || !branch) throw new NotFound('Branch')

      return (await presentBranches(code.repo, code, [branch], config.baseUrl))[0]!
    }
  )

  app.post(
    path,
    { ...forDevelopers, schema: { summary: 'Create a branch', params: ById, body: NewBranch, response: { 201: BranchShape } } },
    async ({ em, user, actor, params, body }, reply) => {
      const { branch: name, ref } = body
      const code = await findCode(em, git, user, params.id, Role.developer)
      const { repo, changes } = await writeCode(app.platform, code, actor, async repo => {
        checkBranchName(name)
        const first = await createDefaultBranch(repo, code.project.defaultBranch, ref, user)

        return [...first, ...(await createBranch(repo, name, ref))]
      })
      const sha = changes.at(-1)!.after
      const branch = { name, target: sha, commit: sha }

      return reply.code(201).send((await presentBranches(repo, code, [branch], config.baseUrl))[0]!)
    }
  )

  app.delete(
    `${path}/:branch`,
    {
      ...forDevelopers,
      schema: { summary: 'Delete a branch that is not the default branch', params: ByBranch, response: { 204: Type.Null() } }
    },
    async (request, reply) => {
      const code = await findCode(request.em, git, request.user, request.params.id, Role.developer)

      if (!code.repo) throw new NotFound('Branch')
      await writeCode(app.platform, code, request.actor, repo =>
        deleteBranch(repo, request.params.branch, code.project.defaultBranch, readUnmodifiedSince(request))
      )

      return reply.code(204).send(null)
    }
  )

  app.delete(
    '/projects/:id/repository/merged_branches',
    {
      ...forDevelopers,
      schema: { summary: 'Delete the branches that are merged into the default branch', params: ById, response: { 202: Accepted } }
    },
    async ({ em, user, actor, params }, reply) => {
      const code = await findCode(em, git, user, params.id, Role.developer)

      if (code.repo) await writeCode(app.platform, code, actor, repo => deleteMergedBranches(repo, code.project.defaultBranch))

      return reply.code(202).send({ message: '202 Accepted' })
    }
  )
}
