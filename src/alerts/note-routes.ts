import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { actorOf } from '#audit/record-audit-event.ts'
import { callerOf } from '#identity/identify.ts'
import { listNotes } from '#projects/list-notes.ts'
import { AlertParams, NewNote, NoteParams, NoteShape } from './alert-schemas.ts'
import { addComment, deleteComment } from './comment.ts'
import { findAlert } from './find-alert.ts'
import { presentNote } from './present-alert-details.ts'

/** The comments and system notes of an alert. */
export const alertNotes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }
  const notes = `${path}/:alert_iid/notes`

  app.get(
    notes,
    {
      ...guard,
      schema: {
        summary: 'List the notes of an alert, oldest first',
        params: AlertParams,
        querystring: Type.Object({ ...paging, sort: Type.Optional(Type.Enum(['asc', 'desc'])) }),
        response: { 200: Type.Array(NoteShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { alert } = await findAlert(em, callerOf(request), request.params)
      const page = await offsetPage(request, reply, listNotes(em, 'alert', alert.id, { sort: request.query.sort }))

      return page.map(note => presentNote(note, config.baseUrl))
    }
  )

  app.post(
    notes,
    { ...guard, schema: { summary: 'Add a comment to an alert', params: AlertParams, body: NewNote, response: { 201: NoteShape } } },
    async (request, reply) => {
      const em = fork()
      const author = callerOf(request)
      const { alert } = await findAlert(em, author, request.params)
      const note = await addComment(em, alert, author.id, request.body.body)

      return reply.code(201).send(presentNote({ ...note, author, action: null, created_at: note.createdAt.toISOString() }, config.baseUrl))
    }
  )

  app.delete(
    `${notes}/:note_id`,
    { ...guard, schema: { summary: 'Delete a comment on an alert', params: NoteParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()
      const { alert } = await findAlert(em, callerOf(request), request.params)

      await deleteComment(em, alert, request.params.note_id, actorOf(request))

      return reply.code(204).send(null)
    }
  )
}
