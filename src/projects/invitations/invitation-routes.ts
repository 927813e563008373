import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { InvalidInput, MissingParameters, NotFound } from '#lib/refusals.ts'
import { authorizeChange } from '../members/change-members.ts'
import { Day, MemberBody, MembersAdded, presentFailures, readExpiryDate } from '../members/member-schemas.ts'
import { findMemberSource, type SourceKind } from '../members/member-source.ts'
import { AccessLevel, ById } from '../schemas.ts'
import { updateInvitation, withdrawInvitation } from './change-invitations.ts'
import { invite } from './invite.ts'
import { InvitationShape, listInvitations, presentInvitation } from './list-invitations.ts'

const maxInvited = 100

const Emails = Type.Union([Type.String({ maxLength: 30_000 }), Type.Array(Type.String({ maxLength: 255 }), { maxItems: maxInvited })])
const UserIds = Type.Union([Type.Integer(), Type.String({ maxLength: 2000 }), Type.Array(Type.Integer(), { maxItems: maxInvited })])

const NewInvitationBody = Type.Object({
  email: Type.Optional({ ...Emails, description: 'Addresses, a list or comma-separated; at most 100.' }),
  user_id: Type.Optional({ ...UserIds, description: 'User IDs, a list or comma-separated; at most 100.' }),
  access_level: AccessLevel,
  expires_at: Day,
  invite_source: Type.Optional(Type.String({ maxLength: 255, description: 'Ignored.' }))
})
const ByEmail = Type.Object({ ...ById.properties, email: Type.String({ maxLength: 255 }) })

/** Invitations by e-mail. Those who manage members invite, up to their own role. */
export const invitationRoutes: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const path = `/${kind}/:id/invitations`
  const guard = { config: { role: kind === 'groups' ? ('owner' as const) : ('maintainer' as const) } }

  app.post(
    path,
    {
      ...guard,
      schema: {
        summary: 'Invite people by e-mail',
        description: 'The user of a confirmed address becomes a member immediately. The others are sent an e-mail.',
        params: ById,
        body: NewInvitationBody,
        response: { 201: MembersAdded }
      }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const { email, user_id: ids, access_level: accessLevel, expires_at: expiresAt } = body
      const source = await findMemberSource(em, user, kind, params.id)
      const attributes = { accessLevel, expiresAt: readExpiryDate(expiresAt) ?? null }
      const failed = await invite(em, source, readInvited(email, ids), attributes, actor)

      return reply.code(201).send(presentFailures(failed))
    }
  )

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List open invitations',
        params: ById,
        querystring: Type.Object({ ...paging, query: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the address.' })) }),
        response: { 200: Type.Array(InvitationShape) }
      }
    },
    async (request, reply) => {
      const source = await findMemberSource(request.em, request.user, kind, request.params.id)

      authorizeChange(source)

      return (await offsetPage(request, reply, listInvitations(request.em, source, { search: request.query.query }))).map(presentInvitation)
    }
  )

  app.put(
    `${path}/:email`,
    {
      ...guard,
      schema: {
        summary: "Change an invitation's role or expiry date",
        params: ByEmail,
        body: MemberBody,
        response: { 200: InvitationShape }
      }
    },
    async ({ em, user, actor, params, body }) => {
      const { email } = params
      const source = await findMemberSource(em, user, kind, params.id)
      const { access_level: accessLevel, expires_at: expiresAt } = body

      const { id } = await updateInvitation(em, source, email, { accessLevel, expiresAt: readExpiryDate(expiresAt) }, actor)
      const [row] = await listInvitations(em, source, { id }).list(1, 0)

      if (!row) throw new NotFound('Invitation')

      return presentInvitation(row)
    }
  )

  app.delete(
    `${path}/:email`,
    {
      ...guard,
      config: { ...guard.config, allowsReadOnly: true },
      schema: { summary: 'Withdraw an invitation', params: ByEmail, response: { 204: Type.Null() } }
    },
    async ({ em, user, actor, params }, reply) => {
      const source = await findMemberSource(em, user, kind, params.id)

      await withdrawInvitation(em, source, params.email, actor)

      return reply.code(204).send(null)
    }
  )
}

function readInvited(emails: Static<typeof Emails> | undefined, ids: Static<typeof UserIds> | undefined) {
  const userIds = listOf(ids)
  const addresses = new Map(listOf(emails).map(email => [email.toLowerCase(), email]))

  if (userIds.length + addresses.size === 0) throw new MissingParameters('email', 'user_id')
  if (userIds.length + addresses.size > maxInvited) throw new InvalidInput(`Too many users specified (limit is ${maxInvited})`)
  if (!userIds.every(id => /^\d{1,15}$/.test(id))) throw new InvalidInput('user_id is invalid')

  return { emails: [...addresses.values()], userIds: [...new Set(userIds.map(Number))] }
}

function listOf(given: Static<typeof Emails> | Static<typeof UserIds> | undefined) {
  return String(given ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}
