import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { isKeyset, sendKeyset } from '#api/pagination/keyset.ts'
import { offsetPage, paging, perPageOf } from '#api/pagination/offset.ts'
import { readNumbered } from '#api/pagination/page.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { rowsInMemory } from '#platform/database/list.ts'
import { ById } from '#projects/schemas.ts'
import { requireCommit } from '#repositories/objects/resolve.ts'
import type { TreeEntry } from '#repositories/objects/tree-entry.ts'
import { findCode } from '../find-code.ts'
import { listTree } from './list-tree.ts'

const EntryShape = Type.Object({ id: Type.String(), name: Type.String(), type: Type.String(), path: Type.String(), mode: Type.String() })
const TreeQuery = Type.Object({
  ...paging,
  path: Type.Optional(Type.String({ description: 'A directory. Defaults to the whole tree.' })),
  ref: Type.Optional(Type.String({ description: 'Defaults to the default branch.' })),
  recursive: Type.Optional(Type.Boolean()),
  pagination: Type.Optional(Type.String({ description: '`keyset` for keyset pagination.' })),
  page_token: Type.Optional(Type.String({ description: 'Position of the page; taken from a `Link` header.' }))
})

export const treeRoutes: FastifyPluginAsyncTypebox = async app => {
  const { git } = app.platform

  app.get(
    '/projects/:id/repository/tree',
    {
      config: { role: 'anyone', privateRole: 'reporter' },
      schema: {
        summary: 'List files and directories',
        params: ById,
        querystring: TreeQuery,
        response: { 200: Type.Array(EntryShape) }
      }
    },
    async (request, reply) => {
      const { path = '', ref, recursive = false, page_token: token } = request.query
      const { project, repo: own } = await findCode(request.em, git, request.viewer, request.params.id)
      const { repo, sha } = await requireCommit(own, ref || project.defaultBranch, 'Tree')
      const entries = await listTree(repo, sha, path, recursive)

      if (!isKeyset(request)) return (await offsetPage(request, reply, rowsInMemory(entries))).map(present)
      const start = token ? positionAfter(entries, token) : 0
      const page = await readNumbered(rowsInMemory(entries.slice(start)), 1, perPageOf(request.query))
      const rows = sendKeyset(request, reply, page, last => ({ page_token: tokenOf(last), per_page: perPageOf(request.query) }))

      return rows.map(present)
    }
  )
}

function positionAfter(entries: TreeEntry[], token: string) {
  const at = entries.findIndex(entry => tokenOf(entry) === token)

  if (at < 0) throw new InvalidInput('page_token is invalid')

  return at + 1
}

function tokenOf({ path }: TreeEntry) {
  return Buffer.from(path).toString('base64url')
}

function present({ sha, type, path, mode }: TreeEntry) {
  return { id: sha, name: path.slice(path.lastIndexOf('/') + 1), type, path, mode }
}
