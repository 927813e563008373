import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { User } from '../../identity/users/user.ts'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { presentPerson } from '../../projects/present-project.ts'
import { Person } from '../../projects/schemas.ts'
import { findIssue } from '../find-issue.ts'
import { IssueNote } from '../issue-note.ts'
import { IssueParams, NoteParams } from '../routes/issue-schemas.ts'
import { type Awardable, AwardEmoji, addAward, removeAward } from './award-emoji.ts'

const AwardShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  user: Person,
  created_at: Type.String(),
  updated_at: Type.String(),
  awardable_id: Type.Integer(),
  awardable_type: Type.Enum(['Issue', 'Note']),
  url: Type.Null()
})
const AwardBody = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9_+-]{1,100}$', description: 'Without colons, such as `thumbsup`.' })
})

/** The emoji on issues and on their notes. */
export const awardEmojiRoutes: FastifyPluginAsyncTypebox<{ on: 'issue' | 'note' }> = async (app, { on }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'reporter' as const } }
  const path = `/projects/:id/issues/:issue_iid${on === 'note' ? '/notes/:note_id' : ''}/award_emoji`
  const params = on === 'note' ? NoteParams : IssueParams
  const AwardParams = Type.Object({ ...params.properties, award_id: Type.Integer() })

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: `List the emoji on ${on === 'issue' ? 'an issue' : 'a note'}`,
        params,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(AwardShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const awardable = await find(em, callerOf(request), request.params)
      const awards = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(AwardEmoji, awardable, { orderBy: { id: 'asc' }, populate: ['user'], limit, offset }),
        count: () => em.fork().count(AwardEmoji, awardable)
      })

      return awards.map(award => present(award, config.baseUrl))
    }
  )

  app.get(
    `${path}/:award_id`,
    { ...guard, schema: { summary: 'Get an emoji', params: AwardParams, response: { 200: AwardShape } } },
    async request => {
      const em = fork()
      const awardable = await find(em, callerOf(request), request.params)

      return show(em, awardable, request.params.award_id)
    }
  )

  app.post(
    path,
    { ...guard, schema: { summary: 'Add an emoji', params, body: AwardBody, response: { 201: AwardShape } } },
    async (request, reply) => {
      const em = fork()
      const caller = callerOf(request)
      const awardable = await find(em, caller, request.params)
      const { id } = await addAward(em, awardable, caller.id, request.body.name)

      return reply.code(201).send(await show(em, awardable, id))
    }
  )

  app.delete(
    `${path}/:award_id`,
    { ...guard, schema: { summary: 'Remove an emoji', params: AwardParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()
      const awardable = await find(em, callerOf(request), request.params)

      await removeAward(em, awardable, request.params.award_id, actorOf(request))

      return reply.code(204).send(null)
    }
  )

  async function show(em: EntityManager, awardable: Awardable, id: number) {
    const award = await em.findOne(AwardEmoji, { id, ...awardable }, { populate: ['user'] })

    if (!award) throw new NotFound('Award Emoji')

    return present(award, config.baseUrl)
  }
}

async function find(em: EntityManager, viewer: Viewer, params: Static<typeof IssueParams>): Promise<Awardable> {
  const { issue } = await findIssue(em, viewer, params)
  const { note_id: noteId = null } = params as Partial<Static<typeof NoteParams>>

  // System notes have no emoji.
  if (noteId !== null && (await em.count(IssueNote, { id: noteId, issueId: issue.id, action: null })) === 0) throw new NotFound('Note')

  return { issueId: issue.id, noteId }
}

function present({ id, name, user, createdAt, updatedAt, issueId, noteId }: AwardEmoji, baseUrl: string) {
  return {
    id,
    name,
    user: presentPerson(user as User, baseUrl),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    awardable_id: noteId ?? issueId,
    awardable_type: noteId ? ('Note' as const) : ('Issue' as const),
    url: null
  }
}
