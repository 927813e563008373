import type { FastifyRequest } from 'fastify'
import { addComment, deleteComment, editComment } from '#issues/comment.ts'
import { incidentStatuses } from '#issues/issue-note.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { textOf } from '../layout/forms.ts'
import { readComment } from '../projects/note-history.ts'
import { type Action, numberOf, refused } from './form-action.ts'
import type { IncidentContext } from './incident-context.ts'
import type { RefusedForm } from './refused-form.ts'

export const commentActions: Record<string, Action> = {
  notes: comment,
  'notes/:number/edit': changeComment,
  'notes/:number/delete': removeComment,
  status_updates: postUpdate
}

async function comment(request: FastifyRequest, { em, issue }: IncidentContext): Promise<RefusedForm | `#${string}`> {
  const { body, problem } = readComment(request)

  if (problem !== undefined) return { form: 'comment', message: problem }
  const { id } = await addComment(em, issue, request.actor, body)

  return `#note-${id}`
}

async function postUpdate(request: FastifyRequest, { em, issue }: IncidentContext) {
  const { body, problem } = readComment(request)
  const incidentStatus = incidentStatuses.find(status => status === textOf(request, 'incident_status'))

  if (problem !== undefined) return { form: 'status_update', message: problem } as const
  if (!incidentStatus) return { form: 'status_update', message: 'Choose a status.' } as const

  return refused('status_update', () => addComment(em, issue, request.actor, body, { incidentStatus }))
}

async function changeComment(request: FastifyRequest, context: IncidentContext): Promise<RefusedForm | `?${string}`> {
  const { em, issue } = context
  const id = numberOf(request)
  const { body, problem } = readComment(request)
  const { page = '1' } = request.query as { page?: string }

  if (problem !== undefined) return { form: `note-${id}`, message: problem }
  const latest = await editComment(em, issue, id, { body, version: textOf(request, 'version'), ...changeOf(request, context) })

  return latest === undefined ? `?page=${Number.parseInt(page, 10) || 1}#note-${id}` : { form: `note-${id}`, theirs: latest }
}

async function removeComment(request: FastifyRequest, context: IncidentContext) {
  await deleteComment(context.em, context.issue, numberOf(request), changeOf(request, context))

  return '#timeline' as const
}

/** Authors change their own comments, maintainers all. */
function changeOf(request: FastifyRequest, { em, admin, project }: IncidentContext) {
  return { by: admin.actor, checkModerator: () => findProject(em, request.user, String(project.id), Role.maintainer) }
}
