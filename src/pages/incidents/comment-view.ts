import type { FastifyRequest } from 'fastify'
import type { IssueNoteRow } from '#issues/present-issue.ts'
import { formOf } from '../layout/field.ts'
import { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { CommentForm, commentInvalid, mentionHint } from '../projects/note-history.ts'
import type { IncidentContext } from './incident-context.ts'
import { type RefusedForm, refusalOf, refusedForm } from './refused-form.ts'

export interface CommentView {
  /** The address of the timeline's page. */
  timelineUrl: string
  refusal?: RefusedForm
  /** The rendered text. */
  body: Html
}

/** A comment or a status update with its author's and the maintainers' buttons, or the form to edit it. */
export function commentView(request: FastifyRequest, context: IncidentContext, note: IssueNoteRow, view: CommentView) {
  const { author, id } = note
  const isOwn = author?.id === request.user.id
  const { edit } = request.query as { edit?: string }
  const isEdited = view.refusal ? view.refusal.name === `note-${id}` : edit === `note-${id}`

  if (isEdited && (isOwn || context.isMaintainer)) return editForm(request, context, note, view)

  return html`<div>${view.body}</div>`
}

/** When it was edited. */
export function editedAt({ created_at: createdAt, updated_at: updatedAt }: IssueNoteRow, now: Date) {
  const at = new Date(updatedAt)

  return at.getTime() - new Date(createdAt).getTime() > 1000 && html` · edited ${ago(at, now)}`
}

/** Links and forms that change a comment, for those who may. */
export function commentButtons(request: FastifyRequest, { isMaintainer, incidentUrl }: IncidentContext, note: IssueNoteRow, url: string) {
  if (!isMaintainer && note.author?.id !== request.user.id) return undefined

  return html`
    <span class="row">
      <a class="edit" href="${url}${url.includes('?') ? '&' : '?'}edit=note-${note.id}#note-${note.id}">Edit<span class="visually-hidden"> the comment</span></a>
      <details class="inline"><summary>Delete</summary>${formOf(request, { action: `${incidentUrl}/notes/${note.id}/delete` }, html`<button class="plain small">Delete this comment</button>`)}</details>
    </span>`
}

function editForm(request: FastifyRequest, { incidentUrl }: IncidentContext, note: IssueNoteRow, { timelineUrl, refusal }: CommentView) {
  const { id, body, updated_at: updatedAt } = note
  const form = refusedForm(refusal, `note-${id}`) ?? new Form(CommentForm, { body })
  const search = new URL(timelineUrl, 'http://tocsin').search

  return html`
    ${refusalOf(refusal, `note-${id}`)}
    ${form.render(
      request,
      { action: `${incidentUrl}/notes/${id}/edit${search}` },
      html`
      <input type="hidden" name="version" value="${new Date(updatedAt).toISOString()}">
      ${form.textArea('body', { id: `note-body-${id}`, label: 'Comment', invalid: commentInvalid, hint: mentionHint, attributes: { rows: 5, autofocus: true } })}
      <p class="row"><button class="small">Save</button> <a class="button plain small" href="${timelineUrl}#note-${id}">Cancel</a></p>`
    )}`
}
