import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { type Activity, recordActivity } from '../../activity/record-activity.ts'
import { actorOf, record } from '../../audit/record-audit-event.ts'
import { callerOf } from '../../identity/identify.ts'
import type { Viewer } from '../../identity/viewer.ts'
import { change, type Decision } from './change-group.ts'
import type { ErrorGroup } from './error-group.ts'
import { findGroupFor } from './find-group.ts'
import { ErrorChanges, ErrorParams, ErrorShape } from './group-schemas.ts'
import { presentError } from './present-group.ts'

/** What people decide about an error. */
export const errorChanges: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }

  app.put(
    `${path}/:fingerprint`,
    {
      ...guard,
      schema: {
        summary: 'Resolve, ignore, reopen or assign an error',
        params: ErrorParams,
        body: ErrorChanges,
        response: { 200: ErrorShape }
      }
    },
    async request => {
      const em = fork()
      const group = await findGroupFor(em, callerOf(request), request.params)
      const decision = readDecision(request.body)

      // The row is locked, so that an event that is on its way meets either what was or what is.
      await em.transactional(async em => {
        await em.refresh(group, { lockMode: 4 })
        const before = group.status

        await change(em, group, decision, new Date())
        if (group.status !== before) await recordActivity(em, statusChange(group, callerOf(request)))
        record(em, actorOf(request), {
          name: 'error_updated',
          entity: { type: 'Project', id: group.projectId, path: request.params.id },
          details: { fingerprint: group.id, ...decision }
        })
      })

      return presentError(group)
    }
  )
}

/** Without what else a client sent. */
function readDecision({ status, resolved_in, ignored_for, ignored_for_events, assignee_id }: Static<typeof ErrorChanges>): Decision {
  return { status, resolved_in, ignored_for, ignored_for_events, assignee_id }
}

function statusChange({ projectId, id, name, status }: ErrorGroup, { id: authorId }: Viewer): Activity {
  return { projectId, authorId, action: status === 'unresolved' ? 'reopened' : 'closed', target: { type: 'Error', id, title: name } }
}
