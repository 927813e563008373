import type { FastifyRequest } from 'fastify'
import { addComment, deleteComment, editComment } from '#issues/comment.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { CommentForm } from '../projects/note-history.ts'
import { type Action, numberOf } from './form-action.ts'
import type { IncidentContext } from './incident-context.ts'
import type { RefusedForm } from './refused-form.ts'
import { StatusUpdateForm } from './status-updates.ts'

export const commentActions: Record<string, Action> = {
  notes: comment,
  'notes/:number/edit': changeComment,
  'notes/:number/delete': removeComment,
  status_updates: postUpdate
}

async function comment(request: FastifyRequest, { em, issue }: IncidentContext): Promise<RefusedForm | `#${string}`> {
  const form = readForm(request, CommentForm)
  const saved = await form.save(({ body }) => addComment(em, issue, request.actor, body))

  return saved ? `#note-${saved.result.id}` : { name: 'comment', form }
}

async function postUpdate(request: FastifyRequest, { em, issue }: IncidentContext): Promise<RefusedForm | undefined> {
  const form = readForm(request, StatusUpdateForm)
  const saved = await form.save(({ body, incident_status: incidentStatus }) =>
    addComment(em, issue, request.actor, body, { incidentStatus })
  )

  return saved ? undefined : { name: 'status_update', form }
}

async function changeComment(request: FastifyRequest, context: IncidentContext): Promise<RefusedForm | `?${string}`> {
  const { em, issue } = context
  const id = numberOf(request)
  const name = `note-${id}` as const
  const form = readForm(request, CommentForm)
  const { page = '1' } = request.query as { page?: string }
  const saved = await form.save(({ body }) =>
    editComment(em, issue, id, { body, version: textOf(request, 'version'), ...changeOf(request, context) })
  )

  if (!saved) return { name, form }

  return saved.result === undefined ? `?page=${Number.parseInt(page, 10) || 1}#${name}` : { name, form, theirs: saved.result }
}

async function removeComment(request: FastifyRequest, context: IncidentContext) {
  await deleteComment(context.em, context.issue, numberOf(request), changeOf(request, context))

  return '#timeline' as const
}

/** Authors change their own comments, maintainers all. */
function changeOf(request: FastifyRequest, { em, admin, project }: IncidentContext) {
  return { by: admin.actor, checkModerator: () => findProject(em, request.user, String(project.id), Role.maintainer) }
}
