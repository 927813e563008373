import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { Forbidden, NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { AlertNote } from '../alert-note.ts'
import { findAlert } from '../find-alert.ts'
import { listNotes } from '../list-notes.ts'
import { AlertParams, NewNote, NoteParams, NoteShape } from './alert-schemas.ts'
import { presentNote } from './present-alert-details.ts'

/** The history of an alert: what was done, and what people said. */
export const alertNotes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }
  const notes = `${path}/:alert_iid/notes`

  app.get(
    notes,
    {
      ...guard,
      schema: {
        summary: 'The history of an alert, oldest first',
        params: AlertParams,
        querystring: Type.Object({ ...paging, sort: Type.Optional(Type.Enum(['asc', 'desc'])) }),
        response: { 200: Type.Array(NoteShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { alert } = await findAlert(em, callerOf(request), request.params)
      const page = await offsetPage(request, reply, {
        list: (limit, offset) => listNotes(em, alert.id, { limit, offset, sort: request.query.sort }),
        count: () => em.fork().count(AlertNote, { alertId: alert.id })
      })

      return page.map(note => presentNote(note, config.baseUrl))
    }
  )

  app.post(
    notes,
    { ...guard, schema: { summary: 'Say something about an alert', params: AlertParams, body: NewNote, response: { 201: NoteShape } } },
    async (request, reply) => {
      const em = fork()
      const { alert } = await findAlert(em, callerOf(request), request.params)
      const author = callerOf(request)
      const note = em.create(AlertNote, { alertId: alert.id, authorId: author.id, body: request.body.body })

      await em.flush()

      return reply.code(201).send(presentNote({ ...note, author, action: null, created_at: note.createdAt.toISOString() }, config.baseUrl))
    }
  )

  app.delete(
    `${notes}/:note_id`,
    { ...guard, schema: { summary: 'Take back what one said about an alert', params: NoteParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()
      const { alert } = await findAlert(em, callerOf(request), request.params)
      const note = await em.findOne(AlertNote, { id: request.params.note_id, alertId: alert.id, action: null })

      if (!note) throw new NotFound('Note')
      if (note.authorId !== callerOf(request).id) throw new Forbidden()
      await em.remove(note).flush()

      return reply.code(204).send(null)
    }
  )
}
