import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { readUnmodifiedSince } from '../../http/conditional-requests.ts'
import { Nullable } from '../../http/parameters/nullable.ts'
import { callerOf } from '../identify.ts'
import { resolveUser } from '../users/find-user.ts'
import { type StatusChange, setStatus, statusPeriods } from './set-status.ts'
import { presentStatus, UserStatus } from './user-status.ts'

const Availability = Type.Enum(['not_set', 'busy'])
const StatusBody = Type.Object({
  emoji: Type.Optional(Nullable(Type.String({ pattern: '^[a-z0-9_+-]{0,64}$', description: 'Its name, such as `coffee`.' }))),
  message: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  availability: Type.Optional(Nullable(Availability)),
  clear_status_after: Type.Optional(Nullable(Type.Enum(Object.keys(statusPeriods) as (keyof typeof statusPeriods)[])))
})
const StatusShape = Type.Object({
  emoji: Nullable(Type.String()),
  message: Nullable(Type.String()),
  message_html: Type.String(),
  availability: Nullable(Availability),
  clear_status_at: Nullable(Type.String())
})
const scopes = ['api', 'read_api', 'read_user']

export const statusRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform
  const response = { 200: StatusShape }

  app.get(
    '/user/status',
    { onRequest: app.requireUser, config: { role: 'user', scopes }, schema: { summary: 'Get your status', response } },
    async request => presentStatus(await fork().findOne(UserStatus, { userId: callerOf(request).id }), new Date())
  )

  app.get(
    '/users/:user_id/status',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone', scopes },
      schema: {
        summary: 'Get the status of a user',
        params: Type.Object({ user_id: Type.String({ description: 'Id or username.' }) }),
        response
      }
    },
    async request => {
      const em = fork()
      const { id } = await resolveUser(em, request.params.user_id)

      return presentStatus(await em.findOne(UserStatus, { userId: id }), new Date())
    }
  )

  for (const [method, summary, missing] of [
    [
      'put',
      'Set your status; parameters that are missing are cleared',
      { emoji: '', message: '', availability: 'not_set', clearAfter: null }
    ],
    ['patch', 'Change your status', {}]
  ] as const) {
    app[method](
      '/user/status',
      { onRequest: app.requireUser, config: { role: 'user' }, schema: { summary, body: StatusBody, response } },
      async request => {
        const at = new Date()
        const change = { ...missing, ...readStatus(request.body) }

        return presentStatus(
          await setStatus(fork(), callerOf(request).id, change, { at, unmodifiedSince: readUnmodifiedSince(request) }),
          at
        )
      }
    )
  }
}

/** Null clears, like an empty value. */
function readStatus({ emoji, message, availability, clear_status_after: clearAfter }: Static<typeof StatusBody>): StatusChange {
  return {
    ...(emoji !== undefined && { emoji: emoji ?? '' }),
    ...(message !== undefined && { message: message ?? '' }),
    ...(availability !== undefined && { availability: availability ?? 'not_set' }),
    ...(clearAfter !== undefined && { clearAfter })
  }
}
