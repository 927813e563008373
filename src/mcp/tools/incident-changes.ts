import Type from 'typebox'
import { changeIncident } from '#incidents/close-incident.ts'
import { addComment } from '#issues/comment.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { assignee, readAssigneeIds, requireChange } from '../assignee.ts'
import { commentBody } from '../comment-body.ts'
import { showIncident } from '../present/incident.ts'
import { defineTool, project, toResult } from '../tool.ts'
import { findIncident, incidentIid } from './incidents.ts'

export const updateIncident = defineTool({
  name: 'update_incident',
  title: 'Close, reopen or assign an incident',
  description: 'Changes the state or the assignee of an incident. Closing an incident resolves its alerts.',
  input: { ...project, incident_iid: incidentIid, state_event: Type.Optional(Type.Enum(['close', 'reopen'])), assignee },
  changes: 'once',
  async run(context, { project: id, incident_iid, state_event: stateEvent, assignee }) {
    requireChange({ state_event: stateEvent, assignee })
    const subject = await findIncident(context, id, incident_iid)

    checkWritable(subject.project)
    const assigneeIds = await readAssigneeIds(context, assignee)

    await changeIncident(context.em, subject.issue, { stateEvent, assigneeIds }, context.by, new Date())

    return showIncident(context, subject)
  }
})

export const commentOnIncident = defineTool({
  name: 'comment_on_incident',
  title: 'Comment on an incident',
  description: 'Adds a comment to an incident.',
  input: { ...project, incident_iid: incidentIid, body: commentBody(100_000) },
  changes: 'each time',
  async run(context, { project: id, incident_iid, body }) {
    const { project, issue } = await findIncident(context, id, incident_iid)

    checkWritable(project)
    const note = await addComment(context.em, issue, context.by, body)

    return toResult({ incident_iid: issue.iid, comment_id: note.id }, () => `Added comment ${note.id} to incident ${issue.iid}.`)
  }
})
