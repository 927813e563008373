import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { listNotes } from '#projects/list-notes.ts'
import { AlertParams, NewNote, NoteParams, NoteShape } from './alert-schemas.ts'
import { addComment, deleteComment } from './comment.ts'
import { findAlert } from './find-alert.ts'
import { presentNote } from './present-alert-details.ts'

/** The comments and system notes of an alert. */
export const alertNotes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config } = app.platform
  const guard = { config: { role: 'developer' as const } }
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
      const { alert } = await findAlert(request.em, request.user, request.params)
      const page = await offsetPage(request, reply, listNotes(request.em, 'alert', alert.id, { sort: request.query.sort }))

      return page.map(note => presentNote(note, config.baseUrl))
    }
  )

  app.post(
    notes,
    { ...guard, schema: { summary: 'Add a comment to an alert', params: AlertParams, body: NewNote, response: { 201: NoteShape } } },
    async ({ em, user, params, body }, reply) => {
      const { alert } = await findAlert(em, user, params)
      const note = await addComment(em, alert, user.id, body.body)

      return reply
        .code(201)
        .send(presentNote({ ...note, author: user, action: null, created_at: note.createdAt.toISOString() }, config.baseUrl))
    }
  )

  app.delete(
    `${notes}/:note_id`,
    { ...guard, schema: { summary: 'Delete a comment on an alert', params: NoteParams, response: { 204: Type.Null() } } },
    async ({ em, user, actor, params }, reply) => {
      const { alert } = await findAlert(em, user, params)

      await deleteComment(em, alert, params.note_id, actor)

      return reply.code(204).send(null)
    }
  )
}
