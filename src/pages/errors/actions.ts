import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { findEvent } from '#errors/events/list-events.ts'
import { changeGroup, type GroupChanges } from '#errors/groups/change-group.ts'
import { commentOnError, deleteComment } from '#errors/groups/comment-on-error.ts'
import { statuses } from '#errors/groups/error-group.ts'
import { deleteGroup, enqueueDeletion } from '#errors/store/delete-group.ts'
import { openErrorIncident } from '#incidents/open-error-incident.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { attempt } from '../layout/attempt.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { readComment } from '../projects/note-history.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { showError } from './error.ts'
import { errorContext } from './error-context.ts'
import { errorMarkdown } from './export.ts'

const path = '/projects/:id/errors/:fingerprint'
const maxNumber = 1_000_000

/** The forms on the page of an error. */
export async function errorActions(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  for (const [name, readChanges] of [
    ['status', readStatus],
    ['assignee', readAssignee]
  ] as const) {
    app.post(`${path}/${name}`, guard, async (request, reply) => {
      const context = await errorContext(request)
      const change = () => changeGroup(context.em, context, readChanges(request), context.admin.actor, new Date())
      const { problems } = await attempt(change)

      return problems ? showError(request, reply.code(400), await errorContext(request), problems) : redirect(reply, context.errorUrl)
    })
  }

  app.post(`${path}/comments`, guard, async (request, reply) => {
    const context = await errorContext(request)
    const { body, problem } = readComment(request)

    if (problem !== undefined) return showError(request, reply.code(400), context, { body: problem })
    await commentOnError(context.em, context.group, request.user, body)

    return redirect(reply, `${context.errorUrl}#history`)
  })

  app.post(`${path}/incident`, guard, async (request, reply) => {
    const context = await errorContext(request)
    const row = await findEvent(context.em, context.group, 'latest')
    const description = row ? errorMarkdown(context, row) : context.errorUrl
    const issue = await openErrorIncident(context.em, { ...context, description, by: request.actor })

    return redirect(reply, `${context.projectUrl}/incidents/${issue.iid}`)
  })

  app.post(`${path}/delete`, guard, async (request, reply) => {
    const context = await errorContext(request, Role.maintainer)

    await deleteGroup(context.em, context, context.admin.actor)
    await enqueueDeletion(app.platform, context.group)
    flash(reply, 'Error deleted.')

    return redirect(reply, `${context.projectUrl}/errors`)
  })

  app.post<{ Params: { comment_id: string } }>(`${path}/comments/:comment_id/delete`, guard, async (request, reply) => {
    const { em, group, errorUrl } = await errorContext(request)

    await deleteComment(em, group, Number(request.params.comment_id) || 0, request.user)

    return redirect(reply, `${errorUrl}#history`)
  })
}

function readStatus(request: FastifyRequest): GroupChanges {
  const unit = textOf(request, 'unit')
  const given = unit === '' ? undefined : readNumber(request)
  const number = (name: string) => (unit === name ? given : Number.parseInt(textOf(request, name), 10) || undefined)
  const hours = number('ignored_for_hours')

  return {
    status: statuses.find(status => status === textOf(request, 'status')),
    resolved_in: textOf(request, 'resolved_in') || undefined,
    ignored_for: hours ? hours * 60 : number('ignored_for'),
    ignored_for_events: number('ignored_for_events'),
    ignored_for_users: number('ignored_for_users')
  }
}

/** The number that is entered beside its unit. */
function readNumber(request: FastifyRequest) {
  const number = Number(textOf(request, 'number'))

  if (!Number.isInteger(number) || number < 1 || number > maxNumber)
    throw new ValidationFailed({ number: [`the number must be from 1 to ${maxNumber}`] })

  return number
}

function readAssignee(request: FastifyRequest): GroupChanges {
  return { assignee_id: Number.parseInt(textOf(request, 'assignee_id'), 10) || null }
}
