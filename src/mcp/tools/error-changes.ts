import { changeGroup } from '#errors/groups/change-group.ts'
import { commentOnError } from '#errors/groups/comment-on-error.ts'
import { findError } from '#errors/groups/find-group.ts'
import { ErrorChanges } from '#errors/groups/group-schemas.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { assignee, readAssignee, requireChange } from '../assignee.ts'
import { commentBody } from '../comment-body.ts'
import { showError } from '../present/error.ts'
import { defineTool, project, type ToolContext, toResult } from '../tool.ts'
import { errorId } from './errors.ts'

const { status, resolved_in, ignored_for, ignored_for_events } = ErrorChanges.properties

export const updateError = defineTool({
  name: 'update_error',
  title: 'Resolve, ignore, reopen or assign an error',
  description:
    'Changes the status or the assignee of an error. New events reopen a resolved error: resolve it when the fix is released, or with `resolved_in`.',
  input: { ...project, error_id: errorId, status, resolved_in, ignored_for, ignored_for_events, assignee },
  changes: 'once',
  async run(context, { project, error_id, assignee, ...changes }) {
    requireChange({ status: changes.status, assignee })
    const subject = await findChangeable(context, project, error_id)
    const assigneeId = await readAssignee(context, assignee)

    await changeGroup(context.em, subject, { ...changes, assignee_id: assigneeId }, context.by, new Date())

    return showError(context, subject.group)
  }
})

export const commentOnAnError = defineTool({
  name: 'comment_on_error',
  title: 'Comment on an error',
  description: 'Adds a comment to an error, such as the cause that you found or the commit that fixes it.',
  input: { ...project, error_id: errorId, body: commentBody(10_000) },
  changes: 'each time',
  async run(context, { project, error_id, body }) {
    const { group } = await findChangeable(context, project, error_id)
    const { id } = await commentOnError(context.em, group, context.viewer, body)

    return toResult({ error_id: group.id, comment_id: id }, () => `Added comment ${id} to error ${group.id}.`)
  }
})

async function findChangeable({ em, viewer }: ToolContext, id: string, fingerprint: number) {
  const subject = await findError(em, viewer, { id, fingerprint })

  checkWritable(subject.project)

  return subject
}
