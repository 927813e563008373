import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Nullable } from '#lib/nullable.ts'
import { NotFound } from '#lib/refusals.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { isReservedPath } from '#namespaces/paths.ts'
import { avatarUrl } from '#platform/avatars.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { escapeLike } from '#platform/database/filter.ts'
import { byIdOrPath } from '../find-project.ts'
import { ById } from '../schemas.ts'
import { visibleGroups } from './list-groups.ts'
import { listNamespaces, type NamespaceRow } from './list-namespaces.ts'

const NamespaceShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  kind: Type.Enum(['user', 'group']),
  full_path: Type.String(),
  parent_id: Nullable(Type.Integer()),
  avatar_url: Nullable(Type.String()),
  web_url: Type.String(),
  members_count_with_descendants: Type.Optional(Type.Integer()),
  projects_count: Type.Optional(Type.Integer()),
  root_repository_size: Type.Optional(Type.Integer())
})

/** Groups and the namespaces of users, where projects are. */
export const namespaceRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'user' as const } }

  app.get(
    '/namespaces',
    {
      ...guard,
      schema: {
        summary: "List the caller's namespace and groups; all for admins",
        querystring: Type.Object({
          ...paging,
          search: Type.Optional(Type.String({ maxLength: 255, description: 'Text in the name or path.' })),
          owned_only: Type.Optional(Type.Boolean()),
          top_level_only: Type.Optional(Type.Boolean()),
          full_path_search: Type.Optional(Type.Boolean({ description: 'No effect: full paths are always searched.' }))
        }),
        response: { 200: Type.Array(NamespaceShape) }
      }
    },
    async (request, reply) => {
      const { search, owned_only: isOwned, top_level_only: isTopLevel } = request.query
      const rows = await offsetPage(request, reply, await listNamespaces(request.em, request.user, { search, isOwned, isTopLevel }))

      return rows.map(row => present(row, config.baseUrl))
    }
  )

  app.get(
    '/namespaces/:id',
    { ...guard, schema: { summary: 'Get a namespace', params: ById, response: { 200: NamespaceShape } } },
    async ({ em, user, params }) => {
      const namespace = await em.findOne(Namespace, byIdOrPath(params.id))

      if (!namespace || !(await isSeen(em, user, namespace))) throw new NotFound('Namespace')
      const [row] = await (await listNamespaces(em, user, { id: namespace.id, isAnywhere: true })).list(1)

      return present(row!, config.baseUrl)
    }
  )

  app.get(
    '/namespaces/:id/exists',
    {
      ...guard,
      schema: {
        summary: 'Check whether a path is taken',
        params: ById,
        querystring: Type.Object({ parent_id: Type.Optional(Type.Integer({ description: 'Defaults to the top level.' })) }),
        response: { 200: Type.Object({ exists: Type.Boolean(), suggests: Type.Array(Type.String()) }) }
      }
    },
    async ({ em, user, params, query }) => {
      const { parent_id: parentId } = query
      const parent = parentId === undefined ? null : await em.findOne(Namespace, parentId)

      if (parentId !== undefined && !(parent && (await isSeen(em, user, parent)))) return { exists: false, suggests: [] }

      return checkPathIsFree(em, params.id, parentId)
    }
  )
}

async function isSeen(em: EntityManager, viewer: Viewer, { id, kind, ownerId }: Namespace) {
  if (viewer.isAdmin || ownerId === viewer.id) return true

  return kind === 'group' && (await (await visibleGroups(em, viewer, { ids: [id], allAvailable: true })).count(1)) > 0
}

function present(row: NamespaceRow, baseUrl: string) {
  const { id, name, path, kind, full_path: fullPath, parent_id: parentId, owner_id: ownerId } = row
  const isUser = kind === 'user'

  return {
    id,
    name,
    path,
    kind,
    full_path: fullPath,
    parent_id: parentId,
    avatar_url: isUser ? avatarUrl('user', { id: ownerId!, avatar: row.user_avatar }, baseUrl) : avatarUrl('group', row, baseUrl),
    web_url: `${baseUrl}/${isUser ? '' : 'groups/'}${fullPath}`,
    ...(row.members !== null && { members_count_with_descendants: row.members }),
    ...(row.projects !== null && { projects_count: row.projects }),
    ...(row.repository_size !== null && { root_repository_size: row.repository_size })
  }
}

/** Whether a user or group has this path at the top level, or a group in the parent; and if so, a path that is free. */
async function checkPathIsFree(em: EntityManager, path: string, parentId: number | undefined) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('namespaces')
    .select('path')
    .where('parent_id', 'is not distinct from', parentId ?? null)
    .where('path', 'ilike', `${escapeLike(path)}%`)
    .orderBy(sql`length(path)`)
    .orderBy('path')
    .limit(1000)
    .execute()
  const paths = new Set(rows.map(row => row.path.toLowerCase()))
  const isFree = (name: string) => !paths.has(name.toLowerCase()) && (parentId !== undefined || !isReservedPath(name))

  return isFree(path) ? { exists: false, suggests: [] } : { exists: true, suggests: [findFree(path, isFree)] }
}

function findFree(path: string, isFree: (path: string) => boolean) {
  let number = 1

  while (!isFree(`${path}${number}`)) number++

  return `${path}${number}`
}
