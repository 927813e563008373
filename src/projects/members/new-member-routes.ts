import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { InvalidInput } from '#lib/refusals.ts'
import { ById } from '../schemas.ts'
import { addMembers } from './add-members.ts'
import { loadMember } from './member-routes.ts'
import { MemberShape, MembersAdded, NewMemberBody, presentFailures, readExpiryDate } from './member-schemas.ts'
import { findMemberSource, type SourceKind } from './member-source.ts'

/** One new member is returned; for several, only those who could not be added. */
export const newMemberRoutes: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { config } = app.platform

  app.post(
    `/${kind}/:id/members`,
    {
      config: { role: kind === 'groups' ? 'owner' : 'maintainer', additionalStatuses: [409] },
      schema: {
        summary: 'Add members',
        params: ById,
        body: NewMemberBody,
        response: { 201: Type.Union([MemberShape, MembersAdded]) }
      }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const { user_id: ids, username: usernames, access_level: accessLevel, expires_at: expiresAt } = body
      const source = await findMemberSource(em, user, kind, params.id)
      const attributes = { accessLevel, expiresAt: readExpiryDate(expiresAt) ?? null }
      const result = await addMembers(em, source, readUsers(ids, usernames), attributes, actor)

      if (result.added) return reply.code(201).send(await loadMember(em, source, result.added.id, config.baseUrl))

      return reply.code(201).send(presentFailures(result.failed))
    }
  )
}

/** Ids or usernames, separated by commas. */
function readUsers(ids: number | string | undefined, usernames: string | undefined) {
  const list = String(ids ?? usernames ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

  if (list.length === 0) throw new InvalidInput('user_id, username are missing, at least one parameter must be provided')
  if (list.length > 100) throw new InvalidInput('user_id is invalid')
  if (ids === undefined) return { usernames: list }
  if (!list.every(id => /^\d{1,15}$/.test(id))) throw new InvalidInput('user_id is invalid')

  return { ids: list.map(Number) }
}
