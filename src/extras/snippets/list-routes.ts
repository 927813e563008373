import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { toTime } from '#lib/time.ts'
import type { Rows } from '#platform/database/list.ts'
import { findProjectAndRoles } from '#projects/find-project.ts'
import { ById } from '#projects/schemas.ts'
import type { Snippet } from '#snippets/snippet.ts'
import { inProject, listSnippets } from './list-snippets.ts'
import { presentSnippets, SnippetShape } from './present-snippet.ts'
import { SnippetsQuery } from './snippet-schemas.ts'

export const snippetListRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const response = { 200: Type.Array(SnippetShape) }
  const send = async (request: FastifyRequest, reply: FastifyReply, rows: Rows<Snippet>) =>
    presentSnippets(request.em, await offsetPage(request, reply, rows), { baseUrl: config.baseUrl, viewer: request.viewer })

  app.get(
    '/snippets',
    {
      config: { role: 'user' },
      schema: { summary: 'List your snippets, newest first', querystring: SnippetsQuery, response }
    },
    async (request, reply) => send(request, reply, listSnippets(request.em, { projectId: null, author: request.user.id }, created(request)))
  )

  app.get(
    '/snippets/public',
    {
      config: { role: 'user' },
      schema: { summary: 'List public snippets of users, newest first', querystring: SnippetsQuery, response }
    },
    async (request, reply) => send(request, reply, listSnippets(request.em, { projectId: null, visibility: 'public' }, created(request)))
  )

  app.get(
    '/snippets/all',
    {
      config: { role: 'admin' },
      schema: { summary: 'List all snippets, newest first', querystring: SnippetsQuery, response }
    },
    async (request, reply) => send(request, reply, listSnippets(request.em, {}, created(request)))
  )

  app.get(
    '/projects/:id/snippets',
    {
      config: { role: 'anyone' },
      schema: { summary: 'List the snippets of a project, newest first', params: ById, querystring: Type.Object(paging), response }
    },
    async (request, reply) => {
      const { project, roles } = await findProjectAndRoles(request.em, request.viewer, request.params.id)

      return send(request, reply, listSnippets(request.em, inProject(project, request.viewer, roles)))
    }
  )
}

function created(request: FastifyRequest) {
  const { created_after: after, created_before: before } = request.query as Static<typeof SnippetsQuery>

  return { after: toTime(after), before: toTime(before) }
}
