import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { type Activity, recordActivity } from '../../activity/record-activity.ts'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { Viewer } from '../../identity/viewer.ts'
import { findProject } from '../../projects/find-project.ts'
import { Role } from '../../projects/members/member.ts'
import { Comment } from './comment.ts'
import type { ErrorGroup } from './error-group.ts'
import { findGroupFor } from './find-group.ts'
import { CommentShape, ErrorParams } from './group-schemas.ts'

/** What people say about an error. */
export const errorComments: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }

  app.get(
    `${path}/:fingerprint/comments`,
    {
      ...guard,
      schema: {
        summary: 'What was said about an error',
        params: ErrorParams,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(CommentShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { id: groupId } = await findGroupFor(em, callerOf(request), request.params)
      const comments = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(Comment, { groupId }, { orderBy: { id: 'asc' }, limit, offset }),
        count: () => em.fork().count(Comment, { groupId })
      })

      return comments.map(presentComment)
    }
  )

  app.post(
    `${path}/:fingerprint/comments`,
    {
      ...guard,
      schema: {
        summary: 'Say something about an error',
        params: ErrorParams,
        body: Type.Object({ body: Type.String({ minLength: 1, maxLength: 10_000 }) }),
        response: { 201: CommentShape }
      }
    },
    async (request, reply) => {
      const em = fork()
      const author = callerOf(request)
      const group = await findGroupFor(em, author, request.params)
      const comment = await em.transactional(async em => {
        const comment = em.create(Comment, { groupId: group.id, authorId: author.id, body: request.body.body })

        await em.flush()
        await recordActivity(em, commentOn(group, comment, author))

        return comment
      })

      return reply.code(201).send(presentComment(comment))
    }
  )

  app.delete(
    `${path}/:fingerprint/comments/:comment_id`,
    {
      ...guard,
      schema: {
        summary: 'Take back what one said about an error; maintainers, what anybody said',
        params: Type.Object({ ...ErrorParams.properties, comment_id: Type.Integer() }),
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      const em = fork()
      const caller = callerOf(request)
      const { id: groupId, projectId } = await findGroupFor(em, caller, request.params)
      const comment = await em.findOne(Comment, { id: request.params.comment_id, groupId })

      if (!comment) throw new NotFound('Comment')
      if (comment.authorId !== caller.id) await findProject(em, caller, String(projectId), Role.maintainer)
      await em.remove(comment).flush()

      return reply.code(204).send(null)
    }
  )
}

function presentComment({ id, body, authorId, createdAt }: Comment) {
  return { id, body, author_id: authorId ?? null, created_at: createdAt.toISOString() }
}

function commentOn({ projectId, id: errorId, name }: ErrorGroup, { id, body }: Comment, { id: authorId }: Viewer): Activity {
  return {
    projectId,
    authorId,
    action: 'commented',
    target: { type: 'Note', id, title: name },
    note: { id, body, noteable_type: 'Error', noteable_id: errorId }
  }
}
