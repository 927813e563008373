import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { type Activity, recordActivity } from '../../activity/record.ts'
import { actorOf, record } from '../../audit/record.ts'
import { offsetPage, paging } from '../../http/pagination.ts'
import { BadParameter, ValidationFailed } from '../../http/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { User } from '../../identity/user.ts'
import type { EntityManager } from '../../platform/database.ts'
import { Comment } from '../comment.ts'
import { findGroupFor } from '../find-group.ts'
import type { ErrorGroup } from '../group.ts'
import { isMember } from '../is-member.ts'
import { presentError } from './present.ts'
import { CommentShape, ErrorChanges, ErrorParams, ErrorShape } from './schemas.ts'

/** What people decide about an error, and say about it. */
export const errorChanges: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser }

  app.put(
    `${path}/:fingerprint`,
    {
      ...guard,
      schema: {
        summary: 'Resolve, ignore, reopen or assign an error',
        params: ErrorParams,
        body: ErrorChanges,
        response: { 200: ErrorShape }
      }
    },
    async request => {
      const em = fork()
      const group = await findGroupFor(em, callerOf(request), request.params)

      // The row is locked, so that an event that is on its way meets either what was or what is.
      await em.transactional(async em => {
        await em.refresh(group, { lockMode: 4 })
        const before = group.status

        await change(em, group, request.body, new Date())
        if (group.status !== before) await recordActivity(em, statusChange(group, callerOf(request)))
        record(em, actorOf(request), {
          name: 'error_updated',
          entity: { type: 'Project', id: group.projectId, path: request.params.id },
          details: request.body
        })
      })

      return presentError(group)
    }
  )

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
}

async function change(em: EntityManager, group: ErrorGroup, wanted: Static<typeof ErrorChanges>, at: Date) {
  const { status, resolved_in: release, ignored_for: minutes, ignored_for_events: events, assignee_id: assignee } = wanted

  if (status === undefined && assignee === undefined) {
    throw new BadParameter('status, assignee_id are missing, at least one parameter must be provided')
  }
  if (assignee != null && !(await isMember(em, group.projectId, assignee))) {
    throw new ValidationFailed({ assignee_id: ['is not a member of the project'] })
  }
  if (assignee !== undefined) group.assigneeId = assignee
  if (status === 'resolved') group.resolve(at, release === 'next' ? { inNext: true } : { inRelease: release })
  if (status === 'ignored') group.ignore(at, { minutes, events })
  if (status === 'unresolved') group.reopen()
}

function statusChange({ projectId, id, name, status }: ErrorGroup, { id: authorId }: User): Activity {
  return { projectId, authorId, action: status === 'unresolved' ? 'reopened' : 'closed', target: { type: 'Error', id, title: name } }
}

function commentOn({ projectId, id: errorId, name }: ErrorGroup, { id, body }: Comment, { id: authorId }: User): Activity {
  return {
    projectId,
    authorId,
    action: 'commented',
    target: { type: 'Note', id, title: name },
    note: { id, body, noteable_type: 'Error', noteable_id: errorId }
  }
}

function presentComment({ id, body, authorId, createdAt }: Comment) {
  return { id, body, author_id: authorId ?? null, created_at: createdAt.toISOString() }
}
