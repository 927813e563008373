import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProject } from '#projects/find-project.ts'
import { listNotes } from '#projects/list-notes.ts'
import { Role } from '#projects/members/member.ts'
import { checkNote } from './check-spam.ts'
import { addComment, deleteComment, editComment } from './comment.ts'
import { findReadableIssue } from './find-issue.ts'
import type { Issue } from './issue.ts'
import { IssueParams, NewNoteBody, NoteBody, NoteParams, NoteShape, NotesQuery } from './issue-schemas.ts'
import { type IssueNoteRow, presentNote } from './present-issue.ts'

const isSystemBy = { all_notes: undefined, only_comments: false, only_activity: true }

/** The comments and system notes of an issue. */
export const issueNoteRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config } = app.platform
  const guard = { config: { role: 'reporter' as const } }
  const notes = `${path}/:issue_iid/notes`

  app.get(
    notes,
    {
      ...guard,
      schema: {
        summary: 'List the notes of an issue, newest first',
        params: IssueParams,
        querystring: NotesQuery,
        response: { 200: Type.Array(NoteShape) }
      }
    },
    async (request, reply) => {
      const { issue } = await findReadableIssue(request.em, request.user, request.params)
      const { sort = 'desc', activity_filter: filter = 'all_notes' } = request.query
      const page = await offsetPage(
        request,
        reply,
        listNotes<IssueNoteRow>(request.em, 'issue', issue.id, { sort, isSystem: isSystemBy[filter] })
      )

      return page.map(note => presentNote(note, issue, config.baseUrl))
    }
  )

  app.get(
    `${notes}/:note_id`,
    { ...guard, schema: { summary: 'Get a note of an issue', params: NoteParams, response: { 200: NoteShape } } },
    async ({ em, user, params }) => {
      const { issue } = await findReadableIssue(em, user, params)

      return show(em, issue, params.note_id)
    }
  )

  app.post(
    notes,
    {
      ...guard,
      schema: {
        summary: 'Add a comment to an issue, or a status update to an incident',
        params: IssueParams,
        body: NewNoteBody,
        response: { 201: NoteShape }
      }
    },
    async (request, reply) => {
      const { project, issue } = await findReadableIssue(request.em, request.user, request.params)
      const { body, incident_status: incidentStatus } = request.body
      const spam = await checkNote(request, project, issue, body)
      const note = await addComment(request.em, issue, request.actor, body, { incidentStatus })

      await spam?.remember(request.em)

      return reply.code(201).send(await show(request.em, issue, note.id))
    }
  )

  app.put(
    `${notes}/:note_id`,
    {
      ...guard,
      schema: {
        summary: 'Edit a comment on an issue; maintainers may edit those of others',
        params: NoteParams,
        body: NoteBody,
        response: { 200: NoteShape }
      }
    },
    async request => {
      const { note_id: noteId } = request.params
      const { project, issue } = await findReadableIssue(request.em, request.user, request.params)

      await checkNote(request, project, issue, request.body.body, true)
      const checkModerator = () => findProject(request.em, request.user, request.params.id, Role.maintainer)

      await editComment(request.em, issue, noteId, { body: request.body.body, by: request.actor, checkModerator })

      return show(request.em, issue, noteId)
    }
  )

  app.delete(
    `${notes}/:note_id`,
    {
      ...guard,
      schema: {
        summary: 'Delete a comment on an issue; maintainers may delete those of others',
        params: NoteParams,
        response: { 204: Type.Null() }
      }
    },
    async ({ em, user, actor, params }, reply) => {
      const { issue } = await findReadableIssue(em, user, params)
      const checkModerator = () => findProject(em, user, params.id, Role.maintainer)

      await deleteComment(em, issue, params.note_id, { by: actor, checkModerator })

      return reply.code(204).send(null)
    }
  )

  async function show(em: EntityManager, issue: Issue, noteId: number) {
    const [note] = await listNotes<IssueNoteRow>(em, 'issue', issue.id, { noteId }).list(1)

    if (!note) throw new NotFound('Note')

    return presentNote(note, issue, config.baseUrl)
  }
}
