import Type from 'typebox'
import { alertStatuses } from '#alerts/alert.ts'
import { changeAlert } from '#alerts/change-alert.ts'
import { addComment } from '#alerts/comment.ts'
import { findAlert } from '#alerts/find-alert.ts'
import { enqueueResolved } from '#incidents/incident-updates.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { assignee, readAssigneeIds, requireChange } from '../assignee.ts'
import { commentBody } from '../comment-body.ts'
import { showAlert } from '../present/alert.ts'
import { defineTool, project, toResult } from '../tool.ts'
import { alertIid } from './alerts.ts'

export const updateAlert = defineTool({
  name: 'update_alert',
  title: 'Acknowledge, resolve, ignore, reopen or assign an alert',
  description: 'Changes the status or the assignee of an alert. Resolving an alert may close its incident.',
  input: { ...project, alert_iid: alertIid, status: Type.Optional(Type.Enum([...alertStatuses])), assignee },
  changes: 'once',
  async run(context, { project: id, alert_iid, status, assignee }) {
    requireChange({ status, assignee })
    const subject = await findAlert(context.em, context.viewer, { id, alert_iid })

    checkWritable(subject.project)
    const assigneeIds = await readAssigneeIds(context, assignee)

    await changeAlert(context.em, subject, { status, assigneeIds }, context.by, new Date())
    if (status) await enqueueResolved(context.queues, subject.alert, context.by)

    return showAlert(context, subject)
  }
})

export const commentOnAlert = defineTool({
  name: 'comment_on_alert',
  title: 'Comment on an alert',
  description: 'Adds a comment to an alert.',
  input: { ...project, alert_iid: alertIid, body: commentBody(100_000) },
  changes: 'each time',
  async run({ em, viewer }, { project: id, alert_iid, body }) {
    const { project, alert } = await findAlert(em, viewer, { id, alert_iid })

    checkWritable(project)
    const note = await addComment(em, alert, viewer.id, body)

    return toResult({ alert_iid: alert.iid, comment_id: note.id }, () => `Added comment ${note.id} to alert ${alert.iid}.`)
  }
})
