import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { entityRows } from '#platform/database/list.ts'
import { commentOnError, deleteComment } from './comment-on-error.ts'
import { Comment } from './error-comment.ts'
import { findError } from './find-group.ts'
import { CommentShape, ErrorParams } from './group-schemas.ts'

export const errorComments: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const guard = { config: { role: 'developer' as const } }

  app.get(
    `${path}/:fingerprint/comments`,
    {
      ...guard,
      schema: {
        summary: 'List the comments on an error',
        params: ErrorParams,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(CommentShape) }
      }
    },
    async (request, reply) => {
      const { group } = await findError(request.em, request.user, request.params)
      const filter = { groupId: group.id }
      const comments = await offsetPage(request, reply, entityRows(request.em, Comment, filter))

      return comments.map(presentComment)
    }
  )

  app.post(
    `${path}/:fingerprint/comments`,
    {
      ...guard,
      schema: {
        summary: 'Comment on an error',
        params: ErrorParams,
        body: Type.Object({ body: Type.String({ minLength: 1, maxLength: 10_000 }) }),
        response: { 201: CommentShape }
      }
    },
    async ({ em, user, params, body }, reply) => {
      const { group } = await findError(em, user, params)

      return reply.code(201).send(presentComment(await commentOnError(em, group, user, body.body)))
    }
  )

  app.delete(
    `${path}/:fingerprint/comments/:comment_id`,
    {
      ...guard,
      schema: {
        summary: 'Delete a comment, as its author or a maintainer',
        params: Type.Object({ ...ErrorParams.properties, comment_id: Type.Integer() }),
        response: { 204: Type.Null() }
      }
    },
    async ({ em, user, params }, reply) => {
      const { group } = await findError(em, user, params)

      await deleteComment(em, group, params.comment_id, user)

      return reply.code(204).send(null)
    }
  )
}

function presentComment({ id, body, authorId, createdAt }: Comment) {
  return { id, body, author_id: authorId ?? null, created_at: createdAt.toISOString() }
}
