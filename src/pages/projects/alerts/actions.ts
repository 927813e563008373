import type { FastifyInstance, FastifyRequest } from 'fastify'
import { alertStatuses } from '../../../alerts/alert.ts'
import { AlertAssignee } from '../../../alerts/alert-assignee.ts'
import { AlertNote } from '../../../alerts/alert-note.ts'
import { changeAlert } from '../../../alerts/change-alert.ts'
import { settingOf } from '../../../alerts/settings/change-setting.ts'
import { callerOf } from '../../../identity/identify.ts'
import { openIncident } from '../../../incidents/open-incident.ts'
import { followResolved } from '../../../incidents/resolve-alerts-of-closed.ts'
import { textOf } from '../../layout/forms.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { attempt } from '../page-context.ts'
import { alertVisitOf, showAlert } from './alert.ts'

const path = '/projects/:id/alerts/:iid'

/** What the buttons on the page of an alert do. */
export async function alertActions(app: FastifyInstance) {
  const { queues, config } = app.platform
  const guard = { onRequest: requirePerson(app) }

  app.post(`${path}/status`, guard, async (request, reply) => {
    const visit = await alertVisitOf(request)
    const { alert, em, keeper } = visit
    const status = alertStatuses.find(one => one === textOf(request, 'status'))
    const { problems } = await attempt(() => changeAlert(em, visit, { status }, keeper.actor, new Date()))

    if (problems) return showAlert(reply.code(400), await alertVisitOf(request), problems)
    await followResolved(queues, alert)

    return reply.redirect(visit.home, 303)
  })

  app.post(`${path}/assignee`, guard, async (request, reply) => {
    const visit = await alertVisitOf(request)
    const assignees = await visit.em.find(AlertAssignee, { alertId: visit.alert.id })
    const { id } = callerOf(request)
    const ids = assignees.map(({ userId }) => userId)
    const assigneeIds = ids.includes(id) ? ids.filter(userId => userId !== id) : [...ids, id]
    const { problems } = await attempt(() => changeAlert(visit.em, visit, { assigneeIds }, visit.keeper.actor, new Date()))

    return problems ? showAlert(reply.code(400), await alertVisitOf(request), problems) : reply.redirect(visit.home, 303)
  })

  app.post(`${path}/incident`, guard, async (request, reply) => {
    const visit = await alertVisitOf(request)
    const { alert, em, project } = visit
    const setting = await settingOf(em, project.id)

    await openIncident(em, { projectId: project.id, iid: alert.iid, baseUrl: config.baseUrl, setting, authorId: callerOf(request).id })

    return reply.redirect(visit.home, 303)
  })

  app.post(`${path}/notes`, guard, async (request, reply) => {
    const visit = await alertVisitOf(request)
    const body = said(request)

    if (body === '') return showAlert(reply.code(400), visit, { body: 'Say something first.' })
    visit.em.create(AlertNote, { alertId: visit.alert.id, authorId: callerOf(request).id, body })
    await visit.em.flush()

    return reply.redirect(visit.home, 303)
  })
}

export function said(request: FastifyRequest) {
  return textOf(request, 'body').trim().slice(0, 100_000)
}
