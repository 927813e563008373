import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { checkNote } from '#issues/check-spam.ts'
import { addComment, deleteComment, editComment, replyTo } from '#issues/comment.ts'
import { findReadableIssue } from '#issues/find-issue.ts'
import type { Issue } from '#issues/issue.ts'
import { IssueParams, NoteBody, NoteShape } from '#issues/issue-schemas.ts'
import { presentNote } from '#issues/present-issue.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { type DiscussionRow, listDiscussions } from './list-discussions.ts'

const DiscussionShape = Type.Object({
  id: Type.String(),
  individual_note: Type.Boolean({ description: 'Whether it is a note without a thread.' }),
  notes: Type.Array(NoteShape)
})
const DiscussionParams = Type.Object({ ...IssueParams.properties, discussion_id: Type.String({ maxLength: 40 }) })
const DiscussionNoteParams = Type.Object({ ...DiscussionParams.properties, note_id: Type.Integer() })
const path = '/projects/:id/issues/:issue_iid/discussions'

/** Threads of notes on an issue. */
export const discussionRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'reporter' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List the discussions on an issue, oldest first',
        params: IssueParams,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(DiscussionShape) }
      }
    },
    async (request, reply) => {
      const { issue } = await findReadableIssue(request.em, request.user, request.params)
      const rows = await offsetPage(request, reply, listDiscussions(request.em, issue.id))

      return rows.map(row => present(row, issue))
    }
  )

  app.get(
    `${path}/:discussion_id`,
    { ...guard, schema: { summary: 'Get a discussion on an issue', params: DiscussionParams, response: { 200: DiscussionShape } } },
    async ({ em, user, params }) => {
      const { issue } = await findReadableIssue(em, user, params)

      return present(await find(em, issue, params.discussion_id), issue)
    }
  )

  app.post(
    path,
    {
      ...guard,
      schema: { summary: 'Start a discussion on an issue', params: IssueParams, body: NoteBody, response: { 201: DiscussionShape } }
    },
    async (request, reply) => {
      const { project, issue } = await findReadableIssue(request.em, request.user, request.params)

      const spam = await checkNote(request, project, issue, request.body.body)
      const { discussionId } = await addComment(request.em, issue, request.actor, request.body.body, { isThreaded: true })

      await spam?.remember(request.em)

      return reply.code(201).send(present(await find(request.em, issue, discussionId), issue))
    }
  )

  app.post(
    `${path}/:discussion_id/notes`,
    { ...guard, schema: { summary: 'Reply to a discussion', params: DiscussionParams, body: NoteBody, response: { 201: NoteShape } } },
    async (request, reply) => {
      const { discussion_id: discussionId } = request.params
      const { project, issue } = await findReadableIssue(request.em, request.user, request.params)

      const spam = await checkNote(request, project, issue, request.body.body)
      const { id } = await replyTo(request.em, issue, discussionId, { by: request.actor, body: request.body.body })

      await spam?.remember(request.em)

      return reply.code(201).send(await showNote(request.em, issue, discussionId, id))
    }
  )

  app.get(
    `${path}/:discussion_id/notes/:note_id`,
    { ...guard, schema: { summary: 'Get a note of a discussion', params: DiscussionNoteParams, response: { 200: NoteShape } } },
    async ({ em, user, params }) => {
      const { issue } = await findReadableIssue(em, user, params)

      return showNote(em, issue, params.discussion_id, params.note_id)
    }
  )

  app.put(
    `${path}/:discussion_id/notes/:note_id`,
    {
      ...guard,
      schema: {
        summary: 'Edit a note of a discussion; maintainers may edit those of others',
        params: DiscussionNoteParams,
        body: NoteBody,
        response: { 200: NoteShape }
      }
    },
    async request => {
      const { discussion_id: discussionId, note_id: noteId } = request.params
      const { project, issue } = await findReadableIssue(request.em, request.user, request.params)

      await showNote(request.em, issue, discussionId, noteId)
      await checkNote(request, project, issue, request.body.body, true)
      await editComment(request.em, issue, noteId, {
        body: request.body.body,
        by: request.actor,
        checkModerator: () => findProject(request.em, request.user, request.params.id, Role.maintainer)
      })

      return showNote(request.em, issue, discussionId, noteId)
    }
  )

  app.delete(
    `${path}/:discussion_id/notes/:note_id`,
    {
      ...guard,
      schema: {
        summary: 'Delete a note of a discussion; maintainers may delete those of others',
        params: DiscussionNoteParams,
        response: { 204: Type.Null() }
      }
    },
    async ({ em, user, actor, params }, reply) => {
      const { discussion_id: discussionId, note_id: noteId } = params
      const { issue } = await findReadableIssue(em, user, params)

      await showNote(em, issue, discussionId, noteId)
      await deleteComment(em, issue, noteId, {
        by: actor,
        checkModerator: () => findProject(em, user, params.id, Role.maintainer)
      })

      return reply.code(204).send(null)
    }
  )

  function present({ id, is_threaded: isThreaded, notes }: DiscussionRow, issue: Issue) {
    return { id, individual_note: !isThreaded, notes: notes.map(note => presentNote(note, issue, config.baseUrl)) }
  }

  async function showNote(em: EntityManager, issue: Issue, discussionId: string, noteId: number) {
    const { notes } = await find(em, issue, discussionId)
    const note = notes.find(({ id }) => id === noteId)

    if (!note) throw new NotFound('Note')

    return presentNote(note, issue, config.baseUrl)
  }
}

async function find(em: EntityManager, issue: Issue, id: string) {
  const [discussion] = await listDiscussions(em, issue.id, id).list(1)

  if (!discussion) throw new NotFound('Discussion')

  return discussion
}
