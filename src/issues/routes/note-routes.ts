import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { offsetPage } from '../../http/pagination/offset.ts'
import { Forbidden, NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findProject } from '../../projects/find-project.ts'
import { Role } from '../../projects/members/member.ts'
import { findIssue } from '../find-issue.ts'
import type { Issue } from '../issue.ts'
import { IssueNote } from '../issue-note.ts'
import { sayOf } from '../issue-permissions.ts'
import { issueNotes } from '../list-notes.ts'
import { IssueParams, NoteBody, NoteParams, NoteShape, NotesQuery } from './issue-schemas.ts'
import { presentNote } from './present-issue.ts'

/** The history of an issue: what was done, and what people said. */
export const issueNoteRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'reporter' as const } }
  const notes = `${path}/:issue_iid/notes`

  app.get(
    notes,
    {
      ...guard,
      schema: {
        summary: 'The history of an issue, newest first',
        params: IssueParams,
        querystring: NotesQuery,
        response: { 200: Type.Array(NoteShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { issue } = await findIssue(em, callerOf(request), request.params)
      const { sort = 'desc', activity_filter: filter } = request.query
      const page = await offsetPage(request, reply, issueNotes(em, issue.id, { sort, isDone: isDoneBy[filter ?? 'all_notes'] }))

      return page.map(note => presentNote(note, issue, config.baseUrl))
    }
  )

  app.get(
    `${notes}/:note_id`,
    { ...guard, schema: { summary: 'One line of the history of an issue', params: NoteParams, response: { 200: NoteShape } } },
    async request => {
      const em = fork()
      const { issue } = await findIssue(em, callerOf(request), request.params)

      return show(em, issue, request.params.note_id)
    }
  )

  app.post(
    notes,
    { ...guard, schema: { summary: 'Say something about an issue', params: IssueParams, body: NoteBody, response: { 201: NoteShape } } },
    async (request, reply) => {
      const em = fork()
      const author = callerOf(request)
      const { issue } = await findIssue(em, author, request.params)
      const note = await sayOf(em, issue, author.id, request.body.body)

      return reply.code(201).send(await show(em, issue, note.id))
    }
  )

  app.put(
    `${notes}/:note_id`,
    {
      ...guard,
      schema: { summary: 'Change what one said about an issue', params: NoteParams, body: NoteBody, response: { 200: NoteShape } }
    },
    async request => {
      const em = fork()
      const caller = callerOf(request)
      const { issue, note } = await locate(em, caller, request.params)

      if (note.authorId !== caller.id) throw new Forbidden()
      note.body = request.body.body
      await em.flush()

      return show(em, issue, note.id)
    }
  )

  app.delete(
    `${notes}/:note_id`,
    {
      ...guard,
      schema: {
        summary: 'Take back what one said about an issue; maintainers, what anybody said',
        params: NoteParams,
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      const em = fork()
      const caller = callerOf(request)
      const { note } = await locate(em, caller, request.params)

      if (note.authorId !== caller.id) await findProject(em, caller, request.params.id, Role.maintainer)
      await em.remove(note).flush()

      return reply.code(204).send(null)
    }
  )

  async function show(em: EntityManager, issue: Issue, noteId: number) {
    const [note] = await issueNotes(em, issue.id, { noteId }).list(1)

    if (!note) throw new NotFound('Note')

    return presentNote(note, issue, config.baseUrl)
  }
}

const isDoneBy = { all_notes: undefined, only_comments: false, only_activity: true }

/** What was done stays in the history. */
async function locate(em: EntityManager, viewer: Viewer, params: Static<typeof NoteParams>) {
  const { issue } = await findIssue(em, viewer, params)
  const note = await em.findOne(IssueNote, { id: params.note_id, issueId: issue.id, action: null })

  if (!note) throw new NotFound('Note')

  return { issue, note }
}
