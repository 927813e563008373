import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { findEvent } from '#errors/events/list-events.ts'
import { changeGroup } from '#errors/groups/change-group.ts'
import { commentOnError, deleteComment } from '#errors/groups/comment-on-error.ts'
import type { ErrorGroup, Status } from '#errors/groups/error-group.ts'
import { priorityName } from '#errors/groups/priority.ts'
import { deleteGroup, enqueueDeletion } from '#errors/store/delete-group.ts'
import { openErrorIncident } from '#incidents/open-error-incident.ts'
import { Role } from '#projects/members/member.ts'
import { flash, type Undo } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { CommentForm } from '../projects/note-history.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { AssigneeForm, PriorityForm } from './action-forms.ts'
import { showError } from './error.ts'
import { errorContext } from './error-context.ts'
import { errorMarkdown } from './export.ts'
import { changesOf, StatusForm } from './ignore-menu.ts'

const path = '/projects/:id/errors/:fingerprint'

const verbs = { resolved: 'resolved', ignored: 'ignored', unresolved: 'reopened' }

/** The forms on the page of an error. */
export async function errorActions(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.post(`${path}/status`, guard, async (request, reply) => {
    const context = await errorContext(request)
    const before = context.group.status
    const status = readForm(request, StatusForm)
    const saved = await status.save(body => changeGroup(context.em, context, changesOf(body), context.admin.actor, new Date()))

    if (!saved) return showError(request, reply.code(400), await errorContext(request), { status })
    const after: Status = context.group.status

    if (after !== before) flash(reply, `Error ${verbs[after]}.`, { action: `${context.errorUrl}/status`, fields: [['status', before]] })

    return redirect(reply, context.errorUrl)
  })

  app.post(`${path}/assignee`, guard, async (request, reply) => {
    const context = await errorContext(request)
    const before = assigneeField(context.group)
    const assignee = readForm(request, AssigneeForm)
    const saved = await assignee.save(body => changeGroup(context.em, context, body, context.admin.actor, new Date()))

    if (!saved) return showError(request, reply.code(400), await errorContext(request), { assignee })
    const after = assigneeField(context.group)
    const undo = { action: `${context.errorUrl}/assignee`, fields: [before] }

    if (after.join() !== before.join()) flash(reply, after[1] === '0' ? 'Error unassigned.' : 'Error assigned.', undo)

    return redirect(reply, context.errorUrl)
  })

  app.post(`${path}/priority`, guard, async (request, reply) => {
    const context = await errorContext(request)
    const before = priorityName(context.group.priority)
    const priority = readForm(request, PriorityForm)
    const saved = await priority.save(body => changeGroup(context.em, context, body, context.admin.actor, new Date()))

    if (!saved) return showError(request, reply.code(400), await errorContext(request), { priority })
    const after = priorityName(context.group.priority)
    const undo = { action: `${context.errorUrl}/priority`, fields: [['priority', before]] satisfies Undo['fields'] }

    if (after !== before) flash(reply, `Priority set to ${after}.`, undo)

    return redirect(reply, context.errorUrl)
  })

  app.post(`${path}/comments`, guard, async (request, reply) => {
    const context = await errorContext(request)
    const comment = readForm(request, CommentForm)
    const saved = await comment.save(({ body }) => commentOnError(context.em, context.group, request.user, body))

    return saved ? redirect(reply, `${context.errorUrl}#history`) : showError(request, reply.code(400), context, { comment })
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

/** The field that assigns an error as it is. */
function assigneeField({ assigneeId, assigneeGroupId }: ErrorGroup): Undo['fields'][number] {
  return assigneeGroupId ? ['assignee_group_id', String(assigneeGroupId)] : ['assignee_id', String(assigneeId ?? 0)]
}
