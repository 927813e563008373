import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { callerOf } from '../../identity/identify.ts'
import { changeGroup } from './change-group.ts'
import { findError } from './find-group.ts'
import { ErrorChanges, ErrorParams, ErrorShape } from './group-schemas.ts'
import { presentError } from './present-group.ts'

export const errorChanges: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  app.put(
    `${path}/:fingerprint`,
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: {
        summary: 'Resolve, ignore, reopen or assign an error',
        params: ErrorParams,
        body: ErrorChanges,
        response: { 200: ErrorShape }
      }
    },
    async request => {
      const em = app.platform.fork()
      const subject = await findError(em, callerOf(request), request.params)
      const { status, resolved_in, ignored_for, ignored_for_events, assignee_id } = request.body
      const changes = { status, resolved_in, ignored_for, ignored_for_events, assignee_id }

      await changeGroup(em, subject, changes, actorOf(request), new Date())

      return presentError(subject.group)
    }
  )
}
