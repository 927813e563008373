import Type from 'typebox'
import { changeGroup } from '#errors/groups/change-group.ts'
import { commentOnError } from '#errors/groups/comment-on-error.ts'
import { findError } from '#errors/groups/find-group.ts'
import { ErrorChanges } from '#errors/groups/group-schemas.ts'
import { NotFound } from '#lib/refusals.ts'
import { findAssigneeGroups } from '#projects/members/assignee-group-store.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { readAssignee, requireChange } from '../assignee.ts'
import { commentBody } from '../comment-body.ts'
import { showError } from '../present/error.ts'
import { defineTool, project, type ToolContext, toResult } from '../tool.ts'
import { errorId } from './errors.ts'

const { status, resolved_in, ignored_for, ignored_for_events, priority } = ErrorChanges.properties
const errorAssignee = Type.Optional(
  Type.String({
    maxLength: 255,
    description: 'Username of a member of the project, `#` and the path of a group, `me`, or `none` to unassign.'
  })
)

export const updateError = defineTool({
  name: 'update_error',
  title: 'Resolve, ignore, reopen, assign or prioritize an error',
  description:
    'Changes the status, the assignee or the priority of an error. New events reopen a resolved error: resolve it when the fix is released, or with `resolved_in`.',
  input: { ...project, error_id: errorId, status, resolved_in, ignored_for, ignored_for_events, assignee: errorAssignee, priority },
  changes: 'once',
  async run(context, { project, error_id, assignee, ...changes }) {
    requireChange({ status: changes.status, assignee, priority: changes.priority })
    const subject = await findChangeable(context, project, error_id)
    const chosen = await readErrorAssignee(context, subject.project.id, assignee)

    await changeGroup(context.em, subject, { ...changes, ...chosen }, context.by, new Date())

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

async function readErrorAssignee(context: ToolContext, projectId: number, name: string | undefined) {
  if (!name?.startsWith('#')) return { assignee_id: await readAssignee(context, name) }
  const [group] = await findAssigneeGroups(context.em, projectId, [name.slice(1).toLowerCase()])

  if (!group) throw new NotFound('Group')

  return { assignee_group_id: group.id }
}

async function findChangeable({ em, viewer }: ToolContext, id: string, fingerprint: number) {
  const subject = await findError(em, viewer, { id, fingerprint })

  checkWritable(subject.project)

  return subject
}
