import type { FastifyInstance } from 'fastify'
import { type AlertStatus, alertStatuses } from '#alerts/alert.ts'
import { changeAlert } from '#alerts/change-alert.ts'
import { changedFrom } from '#alerts/change-alerts.ts'
import { findSetting } from '#alerts/change-setting.ts'
import { addComment } from '#alerts/comment.ts'
import { redirect } from '#api/redirect.ts'
import { enqueueResolved } from '#incidents/incident-updates.ts'
import { openIncident } from '#incidents/open-incident.ts'
import { attempt } from '../layout/attempt.ts'
import { flash, type Undo } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { readAssigneeChange } from '../projects/assignee-picker.ts'
import { CommentForm } from '../projects/note-history.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { showAlert } from './alert.ts'
import { alertContext } from './alert-context.ts'
import { statusVerbs } from './list/bulk-actions.ts'

const path = '/projects/:id/alerts/:iid'

/** A status that the alert may not return to has no undo. */
function undoOf(alertUrl: string, { before, after }: { before: AlertStatus; after: AlertStatus }): Undo | undefined {
  return changedFrom[before].includes(after) ? { action: `${alertUrl}/status`, fields: [['status', before]] } : undefined
}

/** The forms on the page of an alert. */
export async function alertActions(app: FastifyInstance) {
  const { queues, config } = app.platform
  const guard = { onRequest: requirePerson(app) }

  app.post(`${path}/status`, guard, async (request, reply) => {
    const context = await alertContext(request)
    const status = alertStatuses.find(status => status === textOf(request, 'status'))
    const before = context.alert.status
    const { problems } = await attempt(() => changeAlert(context.em, context, { status }, context.admin.actor, new Date()))

    if (problems) return showAlert(reply.code(400), await alertContext(request), { problems })
    if (status && status !== before) flash(reply, `Alert ${statusVerbs[status]}.`, undoOf(context.alertUrl, { before, after: status }))
    await enqueueResolved(queues, context.alert, context.admin.actor)

    return redirect(reply, context.alertUrl)
  })

  app.post(`${path}/assignee`, guard, async (request, reply) => {
    const context = await alertContext(request)
    const { change, search } = await readAssigneeChange(request, context)

    if (!change) return redirect(reply, `${context.alertUrl}?${new URLSearchParams({ member: search })}#assignees`)
    const { problems } = await attempt(() => changeAlert(context.em, context, { assigneeIds: change }, context.admin.actor, new Date()))

    return problems ? showAlert(reply.code(400), await alertContext(request), { problems }) : redirect(reply, context.alertUrl)
  })

  app.post(`${path}/incident`, guard, async (request, reply) => {
    const { alert, alertUrl, em, project, admin } = await alertContext(request)
    const setting = await findSetting(em, project.id)

    const place = { projectId: project.id, iid: alert.iid, baseUrl: config.baseUrl }

    await openIncident(em, { ...place, setting, authorId: request.user.id, chain: admin.actor.chain })

    return redirect(reply, alertUrl)
  })

  app.post(`${path}/notes`, guard, async (request, reply) => {
    const context = await alertContext(request)
    const comment = readForm(request, CommentForm)
    const saved = await comment.save(({ body }) => addComment(context.em, context.alert, request.user.id, body))

    return saved ? redirect(reply, `${context.alertUrl}#history`) : showAlert(reply.code(400), context, { comment })
  })
}
