import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { NoteRow } from '#projects/list-notes.ts'
import { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { markdownOf } from '../layout/markdown.ts'
import { ago } from '../layout/time.ts'

const maxLength = 100_000

/** What people write: programs may write longer ones. */
export const CommentForm = Type.Object({ body: Type.String({ minLength: 1, maxLength }) })
export const mentionHint = 'Markdown; mention a user with @username.'
export const commentInvalid = `Write a comment of 1 to ${maxLength} characters.`

type Note = Omit<NoteRow, 'id' | 'author'> & { author: { username: string } | null }

/** Comments and system notes, oldest first, and a form for a new comment. */
export async function noteHistory(request: FastifyRequest, notes: Note[], action: string, refused?: Form<typeof CommentForm>) {
  const bodies = await markdownOf(notes.map(({ action, body }) => (action ? '' : body)))

  return html`
    <section class="part" id="history">
    <h2>History</h2>
    <ol class="history" id="entries" data-live="60">${notes.map((note, n) => renderNote(note, bodies[n]!))}</ol>
    ${commentForm(request, action, { form: refused })}
    </section>`
}

interface Written {
  form?: Form<typeof CommentForm>
  hint?: string
}

/** A new comment, or one that was refused. */
export function commentForm(request: FastifyRequest, action: string, { form = new Form(CommentForm), hint }: Written) {
  return form.render(
    request,
    { action },
    html`${form.textArea('body', { label: 'Add a comment', hint, invalid: commentInvalid })}<button>Comment</button>`
  )
}

function renderNote({ action, body, author, created_at: createdAt }: Note, rendered: Html) {
  const name = html`<strong>${author?.username ?? 'Tocsin'}</strong>`
  const at = html`<span class="hint">${ago(new Date(createdAt), new Date())}</span>`

  if (action) return html`<li><p>${name} ${renderBold(body)} ${at}</p></li>`

  return html`<li class="comment"><p>${name} ${at}</p><div>${rendered}</div></li>`
}

/** Renders `**bold**`; everything else is plain text. */
export function renderBold(text: string) {
  return text.split(/\*\*(.+?)\*\*/).map((part, n) => (n % 2 === 1 ? html`<strong>${part}</strong>` : html`${part}`))
}
