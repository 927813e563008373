import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { actorOf } from '../../audit/record.ts'
import { MutuallyExclusive } from '../../http/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { changeAlert } from '../change-alert.ts'
import { findAlert } from '../find-alert.ts'
import { AlertChanges, AlertParams, WholeAlertShape } from './schemas.ts'
import { presentWhole } from './whole.ts'

/** What people decide about an alert. */
export const alertChanges: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform

  app.put(
    `${path}/:alert_iid`,
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: {
        summary: 'Acknowledge, resolve, ignore, reopen or assign an alert',
        params: AlertParams,
        body: AlertChanges,
        response: { 200: WholeAlertShape }
      }
    },
    async request => {
      const em = fork()
      const { project, alert } = await findAlert(em, callerOf(request), request.params)

      await changeAlert(em, { project, alert }, readDecision(request.body), actorOf(request), new Date())

      return presentWhole(em, alert, project, config.baseUrl)
    }
  )
}

function readDecision({ status, assignee_id: one, assignee_ids: all }: Static<typeof AlertChanges>) {
  if (one !== undefined && all !== undefined) throw new MutuallyExclusive('assignee_id', 'assignee_ids')

  return { status, assigneeIds: all ?? (one === undefined ? undefined : one ? [one] : []) }
}
