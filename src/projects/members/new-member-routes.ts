import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { BadParameter, NotFound, Problem } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { User } from '../../identity/users/user.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findHome, type Kind } from '../groups/parent-namespace.ts'
import { ById } from '../schemas.ts'
import { readLastDay } from './expiry-date.ts'
import { showMember } from './member-routes.ts'
import { MemberShape, MembersAdded, NewMemberBody } from './member-schemas.ts'
import { addMember, checkMayGrant } from './membership.ts'

/** Taking in members: one, who is shown, or several, of whom is told only who could not be taken in. */
export const newMemberRoutes: FastifyPluginAsyncTypebox<{ kind: Kind }> = async (app, { kind }) => {
  const { config, fork } = app.platform

  app.post(
    `/${kind}/:id/members`,
    {
      onRequest: app.requireUser,
      config: { role: kind === 'groups' ? 'owner' : 'maintainer' },
      schema: {
        summary: 'Add a member, or several',
        params: ById,
        body: NewMemberBody,
        response: { 201: Type.Union([MemberShape, MembersAdded]) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const home = await findHome(em, callerOf(request), kind, request.params.id)
      checkMayGrant(home, request.body.access_level)
      const terms = { accessLevel: request.body.access_level, expiresAt: readLastDay(request.body.expires_at) ?? null }
      const add = (user: User) => addMember(em, home, user, terms, actorOf(request))
      const { users, isOne } = await findUsers(em, request.body)

      if (!isOne) return reply.code(201).send(await addEach(users, add))
      const [user] = users

      if (!user) throw new NotFound('User')
      await add(user)

      return reply.code(201).send(await showMember(em, home, user.id, config.baseUrl))
    }
  )
}

async function findUsers(em: EntityManager, { user_id: ids, username: names }: Static<typeof NewMemberBody>) {
  const given = String(ids ?? names ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

  if (given.length === 0) throw new BadParameter('user_id, username are missing, at least one parameter must be provided')
  if (given.length > 100) throw new BadParameter('user_id is invalid')
  if (ids !== undefined && !given.every(id => /^\d{1,15}$/.test(id))) throw new BadParameter('user_id is invalid')
  const users = await em.find(User, ids === undefined ? byUsername(given) : { id: { $in: given.map(Number) } })

  return { users, isOne: given.length === 1 }
}

function byUsername(names: string[]) {
  return { $or: names.map(name => ({ username: { $ilike: name.replace(/[\\%_]/g, '\\$&') } })) }
}

async function addEach(users: User[], add: (user: User) => Promise<void>): Promise<Static<typeof MembersAdded>> {
  const reasons: Record<string, string> = {}

  for (const user of users) {
    await add(user).catch(error => {
      if (!(error instanceof Problem)) throw error
      reasons[user.username] = error.summary()
    })
  }

  return Object.keys(reasons).length > 0 ? { status: 'error', message: reasons } : { status: 'success' }
}
